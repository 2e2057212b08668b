// A walk over all operations: each request with its required status.
import { createMuseum, toId } from "../src/museum.ts";

const museum = createMuseum({ today: "2026-11-02" });
const [event] = museum.events.values();
const { eventId = "", dates: [date = ""] = [] } = event ?? {};
const created = `/special-events/${toId("event", 61)}`;
const ticket = `/tickets/${toId("ticket", 1)}/qr`;
const unknown = toId("event", 1000);
const fields =
  '"name":"Łódź by night","location":"Café","eventDescription":"🦀","dates":["2026-11-07"]';

export const WALK: readonly (readonly [status: number, line: string])[] = [
  [200, "ann GET /museum-hours"],
  [200, "ann HEAD /museum-hours?page=2"],
  [200, "ann GET /museum-hours?page=900"],
  [400, "ann GET /museum-hours?startDate=2026-02-30"],
  [400, "ann GET /museum-hours?page=0"],
  [400, "ann GET /museum-hours?page=1&page=2"],
  [400, "ann GET /museum-hours?limit=31"],
  [401, "nobody GET /museum-hours"],
  [200, "ann GET /special-events"],
  [200, "bob GET /special-events?startDate=2026-11-01&endDate=2027-02-01&limit=30"],
  [400, "ann GET /special-events?startDate=2026-11-09&endDate=2026-11-08"],
  [400, "ann GET /special-events?limit=ten"],
  [201, `ann POST /special-events {${fields},"price":12.5}`],
  [400, `ann POST /special-events {${fields}}`],
  [400, `ann POST /special-events {${fields},"price":"12.5"}`],
  [400, `ann POST /special-events {${fields},"price":1,"eventId":"${eventId}"}`],
  [400, "ann POST /special-events []"],
  [400, "ann POST /special-events {"],
  [400, `ann POST /special-events Content-Type=text/plain {${fields},"price":1}`],
  [401, `nobody POST /special-events {${fields},"price":1}`],
  [200, `ann GET ${created}`],
  [400, "ann GET /special-events/61"],
  [400, "ann GET /special-events/%E0%A4%A"],
  [404, `ann GET /special-events/${unknown}`],
  [200, `bob PATCH ${created} {"price":0,"location":"Library"}`],
  [200, `bob PATCH ${created} {}`],
  [400, `bob PATCH ${created} {"dates":["tomorrow"]}`],
  [404, `bob PATCH /special-events/${unknown} {}`],
  [401, `nobody DELETE ${created}`],
  [204, `ann DELETE ${created}`],
  [404, `ann DELETE ${created}`],
  [404, `ann GET ${created}`],
  [400, "ann DELETE /special-events/61"],
  [
    201,
    'ann POST /tickets {"ticketType":"general","ticketDate":"2026-11-07","email":"ann@example.com"}',
  ],
  [201, `ann POST /tickets {"ticketType":"event","ticketDate":"${date}","eventId":"${eventId}"}`],
  [
    400,
    `ann POST /tickets {"ticketType":"event","ticketDate":"2020-01-01","eventId":"${eventId}"}`,
  ],
  [400, 'ann POST /tickets {"ticketType":"event","ticketDate":"2026-11-07"}'],
  [
    404,
    `ann POST /tickets {"ticketType":"event","ticketDate":"2026-11-07","eventId":"${unknown}"}`,
  ],
  [400, 'ann POST /tickets {"ticketType":"free","ticketDate":"2026-11-07"}'],
  [400, 'ann POST /tickets {"ticketType":"general","ticketDate":"2026-11-07","email":"ann"}'],
  [200, `ann GET ${ticket}`],
  [200, `ann HEAD ${ticket}`],
  [404, `bob GET ${ticket}`],
  [404, `bob HEAD ${ticket}`],
  [401, `nobody GET ${ticket}`],
  [400, "ann GET /tickets/1/qr"],
];
