// A walk over all operations: each request with its required status.
import { createRailway, toId, toStatus } from "../src/railway.ts";
import { findJourneys } from "../src/timetable.ts";

/** The time of the tests: a Monday morning. */
export const now = (): number => Date.UTC(2026, 10, 2, 7, 58);

const { bookings } = createRailway({ now });
const [journey] = findJourneys("ASV", "LOC", { from: now(), maxChanges: 1 });
const toOwn = (owner: string, status: string) =>
  [...bookings.values()].find((one) => one.owner === owner && toStatus(one) === status)?.id ?? "";

const [open, paid, cancelled] = ["open", "paid", "cancelled"].map((status) => toOwn("ada", status));
const [own, added] = [toId("bk", bookings.size + 1), toId("bk", bookings.size + 2)];
const person = '{"givenName":"Zoë","familyName":"Ødegård","category":"child"}';
const contact = '{"email":"zoe@example.com","phone":null}';
const newBooking = `{"journeyId":"${journey?.id}","contact":${contact},"passengers":[${person}]}`;
const patch = "Content-Type=application/merge-patch+json";
const day = "from=2026-11-02T00:00:00Z&to=2026-11-03T00:00:00Z";

export const WALK: readonly (readonly [status: number, line: string])[] = [
  [200, "ada GET /stations"],
  [200, "key GET /stations?page=2&size=20"],
  [200, "key GET /stations?page=9&size=50"],
  [200, "key GET /stations?q=ÅS&region=coast&accessible=true&sort=-platforms"],
  [400, "key GET /stations?size=51"],
  [400, "key GET /stations?page=one"],
  [400, "key GET /stations?accessible=yes"],
  [400, "key GET /stations?sort=code"],
  [400, "key GET /stations?q=a&q=b"],
  [401, "nobody GET /stations"],
  [200, "key GET /stations/ASV"],
  [304, "key GET /stations/ASV If-None-Match=$etag"],
  [304, "key GET /stations/ASV If-None-Match=*"],
  [200, "key HEAD /stations/ASV"],
  [400, "key GET /stations/asv"],
  [404, "key GET /stations/ZZZ"],
  [200, "key GET /stations/TAR/departures"],
  [200, `key GET /stations/TAR/departures?${day}&line=T2&limit=5`],
  [400, "key GET /stations/TAR/departures?from=2026-11-02T24:00:00Z"],
  [400, "key GET /stations/TAR/departures?from=2016-12-31T23:59:60Z"],
  [400, "key GET /stations/TAR/departures?from=2026-11-02T09:00:00Z&to=2026-11-02T08:59:59Z"],
  [400, "key GET /stations/TAR/departures?from=2026-11-02T09:00:00Z&to=2026-11-03T09:00:01Z"],
  [400, "key GET /stations/TAR/departures?cursor=x"],
  [404, "key GET /stations/ZZZ/departures"],
  [200, "key GET /lines"],
  [200, "key GET /lines?kind=local&station=TAR"],
  [400, "key GET /lines?kind=tram"],
  [200, "key GET /lines/X6"],
  [304, "key GET /lines/X6 If-None-Match=$etag"],
  [404, "key GET /lines/Z9"],
  [400, "key GET /lines/z"],
  [200, "key GET /journeys?origin=ASV&destination=LOC"],
  [200, "key GET /journeys?origin=ASV&destination=HAV&maxChanges=0&sort=price"],
  [200, "key GET /journeys?origin=ASV&destination=LUN&departAfter=2026-11-02T06:00:00Z"],
  [400, "key GET /journeys?origin=ASV"],
  [400, "key GET /journeys?origin=ASV&destination=ASV"],
  [404, "key GET /journeys?origin=ASV&destination=ZZZ"],
  [200, `key GET /journeys/${journey?.id}`],
  [404, "key GET /journeys/T1-a0501-20261102.ASV.HAV"],
  [404, "key GET /journeys/no-such-journey"],
  [400, "key GET /journeys/x"],
  [200, "ada GET /bookings"],
  [200, "ada GET /bookings?size=10&page=2&sort=-total"],
  [200, "ada GET /bookings?status=cancelled"],
  [200, "ben GET /bookings?departsFrom=2026-11-05&departsTo=2026-11-09&sort=departsAt"],
  [400, "ada GET /bookings?departsFrom=2026-02-30"],
  [401, "key GET /bookings"],
  [401, "nobody GET /bookings"],
  [201, `ada POST /bookings ${newBooking}`],
  [200, "ada GET $location"],
  [400, "ada POST /bookings {"],
  [400, "ada POST /bookings"],
  [401, `key POST /bookings ${newBooking}`],
  [415, `ada POST /bookings Content-Type=text/plain ${newBooking}`],
  [
    422,
    `ada POST /bookings {"journeyId":"no-such-journey","contact":${contact},"passengers":[${person}]}`,
  ],
  [422, `ada POST /bookings ${newBooking.replace("child", "dog")}`],
  [422, `ada POST /bookings ${newBooking.replace('"passengers"', '"people"')}`],
  [200, `ada GET /bookings/${own}`],
  [304, `ada GET /bookings/${own} If-None-Match=W/"x",$etag`],
  [404, `ben GET /bookings/${own}`],
  [404, `ben HEAD /bookings/${own}`],
  [404, `ada GET /bookings/${added}`],
  [400, "ada GET /bookings/1"],
  [
    200,
    `ada PATCH /bookings/${own} ${patch} If-Match=$etag {"note":"Ünï 🚲","seat":"aisle","contact":{"phone":"+4712345678"}}`,
  ],
  [412, `ada PATCH /bookings/${own} ${patch} If-Match="old" {"note":null}`],
  [200, `ada PATCH /bookings/${own} ${patch} {"note":null}`],
  [415, `ada PATCH /bookings/${own} {"note":null}`],
  [422, `ada PATCH /bookings/${own} ${patch} {"status":"paid"}`],
  [422, `ada PATCH /bookings/${own} ${patch} {"seat":"roof"}`],
  [404, `ben PATCH /bookings/${own} ${patch} {"note":null}`],
  [409, `ada PATCH /bookings/${cancelled} ${patch} {"note":null}`],
  [200, `ada GET /bookings/${own}/passengers`],
  [404, `ben GET /bookings/${own}/passengers`],
  [201, `ada POST /bookings/${own}/passengers ${person}`],
  [200, "ada GET $location"],
  [
    200,
    'ada PUT $location {"givenName":"Zoë","familyName":"Berg","category":"senior","railcard":"12345678"}',
  ],
  [422, 'ada PUT $location {"givenName":"","familyName":"Berg","category":"senior"}'],
  [404, `ben PUT $location ${person}`],
  [204, "ada DELETE $location"],
  [404, "ada DELETE $location"],
  [404, "ada GET $location"],
  [409, `ada DELETE /bookings/${own}/passengers/${toId("ps", countPassengers() + 1)}`],
  [409, `ada POST /bookings/${paid}/passengers ${person}`],
  [404, `ada GET /bookings/${own}/payment`],
  [422, `ada PUT /bookings/${own}/payment {"method":"card","number":"1"}`],
  [
    201,
    `ada PUT /bookings/${own}/payment {"method":"card","number":"4000123412341234","expires":"09/29"}`,
  ],
  [200, `ada GET /bookings/${own}/payment`],
  [404, `ben GET /bookings/${own}/payment`],
  [409, `ada PUT /bookings/${own}/payment {"method":"voucher","code":"GIFT99"}`],
  [201, `ada PUT /bookings/${open}/payment {"method":"voucher","code":"GIFT99"}`],
  [200, `ada GET /bookings/${open}/payment`],
  [404, `ben POST /bookings/${own}/cancellation`],
  [200, `ada POST /bookings/${own}/cancellation`],
  [409, `ada POST /bookings/${own}/cancellation`],
  [200, `ada GET /bookings/${own}`],
];

function countPassengers(): number {
  return [...bookings.values()].reduce((sum, { passengers }) => sum + passengers.size, 0);
}
