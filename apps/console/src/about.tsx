// Help: the keys, the caller's rights, and where responses of the service left the contract.
import type { CallMediaClient } from "@call-media/client";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { drifts } from "./access.ts";
import { place } from "./session.ts";
import { ABOUT_WORDS, type Keys } from "./text/about-words.ts";
import { language, text } from "./text/text.ts";
import { archiveZone } from "./time.ts";

export function About({ client }: { readonly client: CallMediaClient }) {
  const t = text.value;
  const w = ABOUT_WORDS[language.value];
  return (
    <main id="main" class="about-page" tabIndex={-1}>
      <h1>{w.aboutTitle}</h1>
      <p>
        {t.serviceAt} <bdi>{place.value?.baseUrl}</bdi>
        {archiveZone.value !== undefined && `, ${archiveZone.value}`}
      </p>
      <h2>{w.keyboard}</h2>
      <div class="pair">
        <KeyTable title={w.keysOfList} keys={w.listKeys} />
        <KeyTable title={w.keysOfCall} keys={w.callKeys} />
      </div>
      <Rights client={client} />
      <h2>{w.departuresTitle}</h2>
      {drifts.value.length === 0 ? (
        <p>{w.noDepartures}</p>
      ) : (
        <ul>
          {drifts.value.map(({ operationId, pointer, expected, received }) => (
            <li key={operationId + pointer}>
              <code>{operationId}</code> <code>{pointer}</code>: {received} ({expected})
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}

interface KeyTableProps {
  readonly title: string;
  readonly keys: Keys;
}

function KeyTable({ title, keys }: KeyTableProps) {
  return (
    <table>
      <caption>{title}</caption>
      <tbody>
        {keys.map(([key, what]) => (
          <tr key={key}>
            <th scope="row">
              <kbd>{key}</kbd>
            </th>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The list shows an administrator all users. A user whose list contains only himself learns his rights from it (D22). */
function Rights({ client }: { readonly client: CallMediaClient }) {
  const w = ABOUT_WORDS[language.value];
  const rights = useSignal<readonly string[]>([]);
  useEffect(() => {
    void readRights(client).then((found) => (rights.value = found));
  }, [client]);
  if (rights.value.length === 0) return null;
  return (
    <>
      <h2>{w.rights}</h2>
      <ul>
        {rights.value.map((right) => (
          <li key={right}>
            <bdi>{right}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

async function readRights(client: CallMediaClient): Promise<string[]> {
  const t = text.value;
  const w = ABOUT_WORDS[language.value];
  try {
    const users = await client.GET("/users/basic-info", {
      params: { query: { status: "active" } },
    });
    const [only, another] = users.data.data;
    if (only === undefined || another !== undefined) return [];
    const { data } = await client.GET("/users/security-info", {
      params: { query: { user_id: only.id } },
    });
    const [rights] = data.data;
    if (rights === undefined) return [];
    const lists = [
      [t.fields.campaign, rights.allow_all_campaigns, rights.allowed_campaigns],
      [t.fields.skill, rights.allow_all_skills, rights.allowed_skills],
      [t.fields.agent_name, rights.allow_all_agents, rights.allowed_agents],
      [t.fields.agent_group, rights.allow_all_groups, rights.allowed_groups],
      [t.fields.media, rights.allow_all_media, rights.allowed_media],
    ] as const;
    return [
      rights.allow_download ? w.mayListen : w.mayNotListen,
      ...lists.map(
        ([label, isAll, allowed]) => `${label}: ${isAll ? w.every : allowed.join(", ") || w.none}`,
      ),
    ];
  } catch {
    // The help is shown without the rights.
    return [];
  }
}
