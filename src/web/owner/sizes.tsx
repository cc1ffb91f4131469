import type { Copy } from "../../domain/backups/kept.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import { bytes, Day } from "../ui/parts.tsx";

const dayOf = ({ at }: Copy): string => formatInstant(at).slice(0, 10);

// In SVG units.
const WIDTH = 360;
const FLOOR = 80;
const TALLEST = 64;

/** How large the data were, by the size of each daily copy that is kept. Nothing before there are two. */
export const SizeFigure = ({ copies }: { readonly copies: readonly Copy[] }) => {
  const daily = copies.filter(({ kind }) => kind === "daily").toReversed();
  const [first, last] = [daily[0], daily.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const most = Math.max(...daily.map((copy) => copy.bytes));
  const x = ({ at }: Copy): number => ((at - first.at) / (last.at - first.at)) * WIDTH;
  const y = (copy: Copy): number => FLOOR - (copy.bytes / most) * TALLEST;
  const points = daily.map((copy) => `${x(copy).toFixed(1)},${y(copy).toFixed(1)}`);
  return (
    <figure>
      <figcaption>
        Size of the data: {bytes(first.bytes)} on <Day date={dayOf(first)} />, {bytes(last.bytes)}{" "}
        on <Day date={dayOf(last)} />
      </figcaption>
      <svg
        role="img"
        viewBox={`-4 0 ${WIDTH + 8} ${FLOOR + 4}`}
        aria-label={`The size of the data on ${daily.length} days. The largest is ${bytes(most)}.`}
        fill="none"
        stroke="currentColor"
      >
        <line x1="0" x2={WIDTH} y1={FLOOR} y2={FLOOR} />
        <polyline points={points.join(" ")} stroke-width="1.5" />
        {daily.map((copy) => (
          <circle key={copy.name} cx={x(copy)} cy={y(copy)} r="2" fill="currentColor" />
        ))}
      </svg>
    </figure>
  );
};
