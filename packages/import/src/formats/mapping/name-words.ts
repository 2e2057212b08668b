// Words in the names of columns, in the languages of exports, each as one English word. Names are split into them.

/** The word of this table, and other words for it. */
const WORDS: Readonly<Record<string, string>> = {
  start:
    "begin began begun started starting starts initiated initiation origination commenced beginn debut inicio inizio aanvang poczatek начало baslangic rozpoczecia",
  end: "ended ending finish finished stop stopped disconnect disconnected hangup hungup closed terminated released ende fin fim fine einde koniec конец окончание bitis zakonczenia",
  answer:
    "answered answering connect connected pickup established ans angenommen repondu respondida risposta odebrane ответ odebrania",
  time: "date datetime timestamp stamp dt ts at day datum uhrzeit zeit heure fecha hora ora tijd godzina czas дата время tarih saat zeitpunkt startzeitpunkt tijdstip",
  duration:
    "dur length len elapsed sec secs sek second seconds sekunden ms msec millis milliseconds min mins minutes minuten dauer duree duracion duracao durata duur trwania длительность продолжительность sure tiempo tempo temps seg segs segundos seconden",
  id: "identifier uuid guid sid gid uid key kennung kurzel identifiant identificador идентификатор identificativo codigo",
  number:
    "num no nr nbr numbers phone phones telephone tel msisdn digits nummer rufnummer telefonnummer numero номер телефон numer numara telefono telefon telefoon telefoonnummer telefonu nummers",
  from: "caller calling ani clid cli source src originator originating origin fromaddr anrufer anrufernummer appelant llamante origen origem chiamante beller dzwoniacy звонящий вызывающий arayan dzwoniacego bellernummer quelle",
  to: "callee called dialed dialled dialing destination dest dst dnis ddi did recipient toaddr target gerufene angerufene appele destino destinatario ziel zielnummer chiamato gebelde odbiorca вызываемый aranan gewahlte angerufen marcado discado gebeld wybierany wybrany compose naar",
  agent:
    "agents operator rep representative advisor adviser employee csr associate mitarbeiter bearbeiter conseiller agente atendente operatore operador medewerker konsultant оператор сотрудник агент temsilci sachbearbeiter sachbearbeiterin bearbeiterin mitarbeiterin bediener bedienerin berater beraterin kundenberater betreuer kundenbetreuer agenten ejecutivo ejecutiva gestor gestora teleoperador teleoperadora asesor asesora operadora conseillere teleconseiller teleconseillere teleoperateur collaborateur gestionnaire addetto addetta operatrice behandelaar pracownik",
  user: "users username member benutzer usuario utilisateur utente gebruiker uzytkownik пользователь",
  name: "nom nombre nome naam имя isim",
  talk: "incall talking conv conversation speaking spoken billable billed billing gesprach conversacion conversa conversazione conversacao rozmowy разговор разговора gorusme gesprachs communication hablado parole sprech gesprekstijd gespreksduur",
  ring: "ringing sonnerie klingel timbrado squillo dzwonienia",
  wait: "waiting attente espera attesa oczekiwania ожидание ожидания bekleme warte wacht oczekiwanie",
  hold: "holding held halten retencao удержание halte",
  handle: "handling handled bearbeitung",
  wrap: "wrapup acw nachbearbeitung",
  queue:
    "queues skill skills skillset huntgroup ringgroup workgroup warteschlange cola fila coda wachtrij kolejka очередь kuyruk kolejki",
  group: "groups gruppe groupe grupo gruppo группа groep",
  team: "teams department dept abteilung afdeling departamento departement reparto equipo equipe squadra",
  campaign: "campaigns kampagne campagne campana campanha campagna кампания",
  disposition:
    "dispositions dispo outcome ergebnis resultat resultado risultato esito wynik результат sonuc tipificacion tabulacao qualification resultaat",
  status: "statut estado stato статус durum",
  type: "typ tipo тип tur",
  direction:
    "way inout richtung sens sentido direcao direccion direzione kierunek направление yon richting anrufrichtung",
  customer:
    "cust client consumer customers kunde cliente klant klient клиент musteri kunden klanten",
  first: "firstname fname forename given vorname prenom voornaam nombres",
  last: "lastname lname surname family nachname apellido achternaam apellidos cognome sobrenome nazwisko",
  email: "mail emailaddress",
  zip: "postcode postal zipcode plz",
  note: "notes comment comments remark remarks bemerkung notiz kommentar commentaire observaciones комментарий",
  recording:
    "recordings audio recordingfile aufnahme aufzeichnung enregistrement grabacion gravacao registrazione opname nagranie запись kayit",
  file: "datei bestand fichier archivo arquivo plik файл",
  extension:
    "ext extn extno nebenstelle durchwahl anexo interno poste toestel ramal wewnetrzny dahili добавочный",
  case: "vorgang vorgangs vorgangsnummer vorgangsnr dossier dossiernummer folio expediente caso pratica zaak zaaknummer sprawy aktenzeichen",
  address: "addr",
  reason: "grund motif motivo reden powod причина 理由 原因 사유",
  organization: "organisation",
  // They tell nothing.
  "": "anruf appel llamada chamada chiamata gesprek polaczenie polaczenia звонок звонка вызов вызова arama de der des da do del di van anrufs gespreks verbindungs verbindung oproep und et y en e d l la le les du dell della dello que",
};

// Written without spaces: the longest that fits is taken.
const JOINED: Readonly<Record<string, string>> = {
  start: "開始 开始 開始 시작",
  end: "終了 结束 結束 종료",
  answer: "応答 接通 接聽 응답",
  time: "日時 時刻 日付 日期 日 时间 時間點 일시 시각 날짜",
  duration: "時間 时长 時長 시간 秒数 分数 秒 分 초 분",
  id: "識別子 编号 編號 工号 流水号",
  number: "番号 号码 號碼 번호 電話",
  from: "発信者 発信元 発信 主叫 发信 발신자 발신",
  to: "着信先 着信 相手先 被叫 수신자 수신",
  agent: "担当者 担当 オペレーター オペレータ エージェント 対応者 坐席 座席 客服 상담원 상담사",
  extension: "内線 分机 내선",
  name: "氏名 名前 姓名 名称 名 이름",
  queue: "キュー スキル 队列 技能组 技能組 대기열 큐 スキルグループ",
  team: "チーム 部署 部门",
  campaign: "キャンペーン 活动 캠페인",
  direction: "方向 種別 発着信 发起方向 呼叫方向 呼叫类型 방향 유형",
  disposition: "結果 结果 결과",
  status: "状態 ステータス 状态 상태",
  wait: "待ち 待機 等待 排队 대기",
  ring: "呼出 呼び出し 振铃 벨울림",
  hold: "保留 保持",
  wrap: "後処理 话后 話後 후처리",
  recording: "録音 录音 녹취 녹음",
  file: "ファイル 文件 파일",
  customer: "顧客 お客様 客户 고객",
  note: "備考 メモ 备注 비고",
  "talk duration": "通話時間 会話時間 通话时长 通話時長 통화시간",
  "": "通話 通话 呼叫 통화 コール",
};

// Letters that Unicode does not take to pieces.
const WHOLE_LETTERS: Readonly<Record<string, string>> = {
  ł: "l",
  ı: "i",
  ø: "o",
  ß: "ss",
  æ: "ae",
};

/** In lower case, without marks. */
export const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[łıøßæ]/g, (letter) => WHOLE_LETTERS[letter] ?? letter);
const toPairs = (table: typeof WORDS) =>
  Object.entries(table).flatMap(([word, others]) =>
    others.split(" ").map((one): [string, string] => [plain(one), word]),
  );

const FOLDED = new Map([
  ...toPairs(WORDS),
  ...toPairs(JOINED),
  ["billsec", "talk duration"],
  ["ucid", "call id"],
  ["calledparty", "to"],
  ["gesprekstijd", "talk duration"],
  ["gespreksduur", "talk duration"],
  ["sprechzeit", "talk time"],
  ["ziel", "to"],
  ["quell", "from"],
  ["eind", "end"],
  ["begin", "start"],
  ["rufrichtung", "direction"],
  ["art", "type"],
  ["answerby", "answer by"],
  ["wachttijd", "wait time"],
  ["wachtduur", "wait duration"],
  ["rufdauer", "ring duration"],
]);
// German and Dutch write words together: Zielrufnummer, Anrufdauer, eindtijd.
const COMPOUND =
  /^(anruf|gesprach|gesprek|vorgang|verbindung|start|begin|end|eind|ziel|quell|warte?|wachte?|halte|bearbeitung|nachbearbeitung|sprech|aufnahme|aufzeichnung|opname|agenten|mitarbeiter|medewerker|benutzer|kunden|klant|toestel|beller|zaak|dossier|klingel)s?(rufnummer|nummer|nr|id|kennung|kurzel|name|naam|dauer|duur|zeit|tijd|datum|beginn|ende|zeitpunkt|art|typ|richtung|richting|datei|bestand|ergebnis)$/;
// The number of a customer is not one of a telephone.
const NO_COMPOUND = new Set(["kundennummer", "klantnummer", "kundennr"]);

const split = (word: string): readonly string[] => {
  if (FOLDED.has(word) || NO_COMPOUND.has(word)) return [word];
  return (GLUED.exec(word) ?? COMPOUND.exec(word))?.slice(1) ?? [word];
};

// Names of one word, which elsewhere tell nothing.
const WHOLE = new Map([
  ...["von", "van", "de", "da"].map((word): [string, string] => [word, "from"]),
  ...["nach", "para", "vers"].map((word): [string, string] => [word, "to"]),
]);

// Several words that together are one.
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\ba (number|party)\b/g, "from $1"],
  [/\bb (number|party)\b/g, "to $1"],
  [/\bfile wait\b/g, "queue"],
];

const SEGMENT = new RegExp(
  `(${toPairs(JOINED)
    .map(([text]) => text)
    .toSorted((one, other) => other.length - one.length)
    .join("|")})`,
  "u",
);

const GLUED =
  /^(call|contact|caller|callee|called|calling|agent|user|start|end|stop|answer|talk|ring|hold|wait|queue|skill|campaign|recording|unique|session|linked|parent|phone|first|last|middle|customer|source|destination|dest|file|duration|lead|team|ref)(id|date|time|number|num|no|name|type|stamp|file|url|secs?|seconds|duration|group|email|login|result|status|state|reason|party|direction|code|ms)$/;
/** The words of a name in lower case, each as the tables write it. */
export function foldWords(name: string): readonly string[] {
  const words = plain(
    name
      .normalize("NFD")
      .replaceAll(/\p{M}/gu, "")
      .replaceAll(/(\p{Ll})(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1$3 $2$4"),
  )
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => word.split(SEGMENT))
    .filter((word) => word !== "");
  const [only = ""] = words;
  const whole = words.length === 1 ? WHOLE.get(only) : undefined;
  if (whole !== undefined) return [whole];
  const folded = words
    .flatMap(split)
    .map((word) => FOLDED.get(word) ?? word)
    .filter((word) => word !== "");
  return PHRASES.reduce((text, [pattern, one]) => text.replace(pattern, one), folded.join(" "))
    .split(" ")
    .filter((word) => word !== "");
}
