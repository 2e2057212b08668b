// Parts of the page whose code is loaded when they are first shown.
import { signal } from "@preact/signals";
import type { ComponentChild, VNode } from "preact";
import { useEffect } from "preact/hooks";

type View<Props> = (props: Props) => VNode | null;

/** Shows `waiting` until the code is loaded. */
export function lazy<Props extends object>(
  load: () => Promise<View<Props>>,
  waiting: ComponentChild = null,
) {
  const loaded = signal<View<Props> | undefined>(undefined);
  return function Lazy(props: Props) {
    const { value: Shown } = loaded;
    useEffect(() => {
      if (loaded.peek() === undefined) void load().then((view) => (loaded.value = view));
    }, []);
    return Shown === undefined ? <>{waiting}</> : <Shown {...props} />;
  };
}
