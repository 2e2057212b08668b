// Shows in the player's place why a recording cannot be heard.
import type { Sentences } from "../text/en.ts";
import { OBSTACLE_WORDS } from "../text/obstacle-words.ts";
import { language, text } from "../text/text.ts";
import { FaultNotice } from "../ui/fault-notice.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Obstacle } from "./obstacle.ts";

/** A missing right is not shown as a fault; a damaged recording is. */
export function ObstacleNotice({
  obstacle,
  onRetry,
}: {
  readonly obstacle: Obstacle;
  readonly onRetry: () => void;
}) {
  const t = text.value;
  if (obstacle.kind === "fault") return <FaultNotice fault={obstacle.fault} onRetry={onRetry} />;
  const { title, hint } = toSentences(obstacle);
  const isBad = obstacle.kind === "damaged" || obstacle.kind === "other-bytes";
  return (
    <div class={`notice${isBad ? " bad" : ""}`} role={isBad ? "alert" : "status"}>
      <Icon name={isBad ? "alert" : obstacle.kind === "no-right" ? "lock" : "info"} />
      <div>
        <p>{title}</p>
        <p>{hint}</p>
      </div>
      {obstacle.kind === "damaged" && (
        <button type="button" class="button" onClick={onRetry}>
          {t.tryAgain}
        </button>
      )}
    </div>
  );
}

export function toSentences(obstacle: Obstacle): Sentences {
  const t = text.value;
  if (obstacle.kind === "fault") return t.faults[obstacle.fault.kind];
  const w = OBSTACLE_WORDS[language.value];
  return obstacle.kind === "codec" ? w.cannotPlay(obstacle.codec) : w.obstacles[obstacle.kind];
}
