import { COLOURS } from "../words/names.ts";
import { Dot } from "./marks.tsx";
import { Popover } from "./popover.tsx";

type ColourMenuProps = {
  readonly colour: string | null;
  readonly onPick: (colour: string | null) => void;
};

/** Chooses a colour, or none. */
export const ColourMenu = ({ colour, onPick }: ColourMenuProps) => (
  <Popover role="group" label="Colour" class="colours right" button={<Dot colour={colour} />}>
    {(close) =>
      [null, ...COLOURS].map((one) => (
        <button
          key={one ?? "none"}
          type="button"
          aria-label={one ?? "no colour"}
          title={one ?? "no colour"}
          aria-pressed={one === colour}
          onClick={() => {
            onPick(one);
            close();
          }}
        >
          <Dot colour={one} />
        </button>
      ))
    }
  </Popover>
);
