// The railway's stations and lines: a table written by hand.
export interface Station {
  readonly code: string;
  readonly name: string;
  readonly region: string;
  readonly platforms: number;
  readonly accessible: boolean;
  readonly openedOn: string | null;
  readonly lines: readonly string[];
}

export interface Line {
  readonly id: string;
  readonly name: string;
  readonly kind: "express" | "local" | "regional";
  readonly stations: readonly string[];
  readonly everyMinutes: number;
  /** From one station to the next. */
  readonly hopMinutes: number;
}

const NAMES: Readonly<Record<string, string>> = {
  coast:
    "ASV Åsvik, BRH Brennhaven, COR Corran Sands, DUN Dunmouth, ELV Élvas Quay, FJA Fjærness, " +
    "GUL Gullholm, HAV Havøy, INS Île-Blanche, JOR Jordan Pier, KEL Kelstrand, LUN Lünsand",
  valley:
    "MAR Marlbrück, NOR Norden Mill, ORM Ormsund, PEN Penford Weir, QUA Quarrydale, ROS Rosenau, " +
    "SAL Saltmead, TAR Tarn, UMB Umber Mill, VAL Valdaúna, WYE Wyebridge, YAR Yarrow",
  hills:
    "ZEL Zelltal, ALP Alpenrose, BER Bérmont, CRA Cragfoot, DOR Dörnberg, EAG Eagle Pass, " +
    "FEL Fellgate, GRA Grañola, HOL Hollow Top, IRO Iron Bridge, KNO Knockmore, LOC Lochend",
};

export const lines: readonly Line[] = [
  line("R3", "Isles Railway", "HAV INS JOR KEL LUN TAR", [60, 11]),
  line("R4", "High Railway", "TAR UMB VAL WYE YAR ZEL ALP", [60, 12]),
  line("T1", "Coast Tram", "ASV BRH COR DUN ELV FJA GUL HAV", [30, 6]),
  line("T2", "Mill Tram", "TAR MAR NOR ORM PEN QUA ROS SAL", [30, 7]),
  line("T5", "Peak Tram", "ALP BER CRA DOR EAG FEL GRA HOL IRO KNO LOC", [60, 8]),
  line("X6", "Tarn Express", "ASV HAV TAR ALP", [120, 25]),
];

export const stations: ReadonlyMap<string, Station> = new Map(
  Object.entries(NAMES)
    .flatMap(([region, names]) => names.split(", ").map((name) => ({ region, name })))
    .map(({ region, name }, index) => toStation(region, name, index))
    .map((station) => [station.code, station]),
);

function line(
  id: string,
  name: string,
  ...[codes, [everyMinutes, hopMinutes]]: [codes: string, minutes: [every: number, hop: number]]
): Line {
  const kind = ({ R: "regional", T: "local", X: "express" } as const)[id[0] as "R" | "T" | "X"];
  return { id, name, kind, stations: codes.split(" "), everyMinutes, hopMinutes };
}

function toStation(region: string, text: string, index: number): Station {
  const code = text.slice(0, 3);
  const year = 1861 + ((index * 17) % 120);
  return {
    code,
    name: text.slice(4),
    region,
    platforms: 1 + ((index * 5) % 13),
    accessible: index % 3 !== 1,
    openedOn: index % 7 === 3 ? null : `${year}-05-${10 + (index % 19)}`,
    lines: lines.filter((one) => one.stations.includes(code)).map(({ id }) => id),
  };
}
