import { formatInstant, type Instant } from "../../domain/base/instant.ts";

/** A moment, to the minute, in UTC. Our script rewrites it in the reader's own time zone and language. */
export const Time = ({ at }: { readonly at: Instant }) => (
  <time
    datetime={formatInstant(at)}
  >{`${formatInstant(at).slice(0, 16).replace("T", " ")} UTC`}</time>
);

/** A moment, or what to say if there was none. */
export const TimeOr = ({ at, none }: { readonly at: Instant | null; readonly none: string }) =>
  at === null ? <span class="quiet-text">{none}</span> : <Time at={at} />;
