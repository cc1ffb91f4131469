import { type ComponentChildren, options } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

type VirtualProps<Item> = {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** The index of an item among those that count; null for one that does not, such as a heading. */
  readonly placeOf: (item: Item) => number | null;
  /** How many items count. */
  readonly count: number;
  readonly rowHeight: number;
  /** The item to bring into view, each time that `moves` grows. */
  readonly at: number;
  readonly moves: number;
  readonly label: string;
  readonly row: (item: Item) => ComponentChildren;
  /** What an item looks like for a moment after it has left the list; null if nothing is to be seen of it. */
  readonly ghost: (item: Item) => ComponentChildren;
};

const SPARE = 12;

const PAPER = matchMedia("print");

/**
 * A list of any length: only the rows in view are drawn, and some around them; on paper, all. All rows have the same
 * height. The page's own scroll container is the nearest `.scroll` around it.
 */
export const VirtualList = <Item,>(props: VirtualProps<Item>) => {
  const { items, keyOf, placeOf, count, rowHeight, at, moves, label, row, ghost } = props;
  const list = useRef<HTMLUListElement>(null);
  const [[first, last], setRange] = useState<readonly [number, number]>([0, 40]);
  useLayoutEffect(() => {
    const box = list.current?.closest<HTMLElement>(".scroll");
    if (!box) return;
    const look = (): void => {
      if (PAPER.matches) return setRange([0, items.length]);
      const top = box.scrollTop - offsetIn(box, list.current);
      const from = Math.max(0, Math.floor(top / rowHeight) - SPARE);
      const to = Math.ceil((top + box.clientHeight) / rowHeight) + SPARE;
      setRange((now) => (now[0] === from && now[1] === to ? now : [from, to]));
    };
    look();
    box.addEventListener("scroll", look, { passive: true });
    const watched = new ResizeObserver(look);
    watched.observe(box);
    // What is above may grow, and move this list.
    for (const one of box.children) watched.observe(one);
    const print = (): void => drawAtOnce(() => setRange([0, items.length]));
    addEventListener("beforeprint", print);
    addEventListener("afterprint", look);
    PAPER.addEventListener("change", look);
    return () => {
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", look);
      PAPER.removeEventListener("change", look);
      box.removeEventListener("scroll", look);
      watched.disconnect();
    };
  }, [rowHeight, items.length]);
  useLayoutEffect(() => {
    if (moves > 0 && at >= 0) bringIntoView(list.current, at, rowHeight);
  }, [moves]);
  return (
    <ul
      ref={list}
      class={items.length > MOST_MOVED ? "rows" : "rows moves"}
      aria-label={label}
      style={{ height: `${items.length * rowHeight}px` }}
    >
      {items.slice(first, last).map((item, index) => {
        const place = placeOf(item);
        return (
          <li
            key={keyOf(item)}
            class="slot"
            {...(place === null ? {} : { "aria-setsize": count, "aria-posinset": place + 1 })}
            style={{ transform: `translateY(${(first + index) * rowHeight}px)` }}
          >
            {row(item)}
          </li>
        );
      })}
      <Ghosts
        items={items}
        keyOf={keyOf}
        first={first}
        last={last}
        rowHeight={rowHeight}
        ghost={ghost}
      />
    </ul>
  );
};

type Ghost<Item> = { readonly item: Item; readonly index: number };

/** Items that leave at once are seen leaving, if they are not more. */
const MOST_GHOSTS = 5;

/** Rows of a longer list are at their new place at once: browsers take their time to move many. */
const MOST_MOVED = 500;

/** In ms. As long as `--leave` in the style sheet. */
const LEAVE = 150;

const CALM = matchMedia("(prefers-reduced-motion: reduce)");

type GhostsProps<Item> = Pick<VirtualProps<Item>, "ghost" | "items" | "keyOf" | "rowHeight"> & {
  /** What is drawn of the list. */
  readonly first: number;
  readonly last: number;
};

/** What has just left the list, where it was. A component of its own, so that the rows are not drawn again for it. */
const Ghosts = <Item,>(props: GhostsProps<Item>) => {
  const { items, keyOf, first, last, rowHeight, ghost } = props;
  const before = useRef(items);
  const [ghosts, setGhosts] = useState<readonly Ghost<Item>[]>([]);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = items;
    if (old === items || CALM.matches || items.length >= old.length) return;
    if (old.length - items.length > MOST_GHOSTS) return;
    // What was in view is near it still, if so few have left.
    const near = items.slice(Math.max(0, first - MOST_GHOSTS), last);
    const there = new Set(near.map(keyOf));
    const gone = old
      .slice(first, last)
      .map((item, at) => ({ item, index: first + at }))
      .filter(({ item }) => !there.has(keyOf(item)));
    if (gone.length > 0) setGhosts(gone);
  }, [items]);
  useEffect(() => {
    if (ghosts.length === 0) return;
    const timer = setTimeout(() => setGhosts([]), LEAVE);
    return () => clearTimeout(timer);
  }, [ghosts]);
  return (
    <>
      {ghosts.map(({ item, index }) => (
        <li
          key={keyOf(item)}
          class="slot ghost"
          aria-hidden="true"
          style={{ transform: `translateY(${index * rowHeight}px)` }}
        >
          {ghost(item)}
        </li>
      ))}
    </>
  );
};

/** The browser prints what is drawn when its event has been heard. */
const drawAtOnce = (change: () => void): void => {
  options.debounceRendering = (draw) => draw();
  change();
  delete options.debounceRendering;
};

const offsetIn = (box: HTMLElement, list: HTMLElement | null): number =>
  list === null
    ? 0
    : list.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;

const bringIntoView = (list: HTMLElement | null, at: number, rowHeight: number): void => {
  const box = list?.closest<HTMLElement>(".scroll");
  if (!box || !list) return;
  const top = offsetIn(box, list) + at * rowHeight;
  if (top < box.scrollTop) box.scrollTop = top - rowHeight;
  else if (top + rowHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = top + 2 * rowHeight - box.clientHeight;
};
