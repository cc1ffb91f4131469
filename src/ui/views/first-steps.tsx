import { addSample, hasSample, removeSample } from "../acts/sample.ts";
import { Icon, type IconName } from "../parts/marks.tsx";
import { dismissFirstSteps, setUp, showsFirstSteps } from "../state/begun.ts";
import { tasks } from "../state/client.ts";
import { show } from "../state/overlay.ts";

/** What somebody who has just begun does first, each with a tick once it is done. It can be put away. */
export const FirstSteps = () => {
  if (!showsFirstSteps.value) return null;
  const { hasDevice, hasKey, hasImported } = setUp.value ?? {};
  return (
    <section class="first-steps" aria-label="First steps">
      <header>
        <h2>Welcome to Docket</h2>
        <button
          type="button"
          class="icon-button small"
          aria-label="Put the first steps away"
          title="Put away"
          onClick={dismissFirstSteps}
        >
          <Icon name="x" size={14} />
        </button>
      </header>
      <ol>
        <Step
          done={tasks.value.size > 0}
          icon="plus"
          name="Add a task"
          text="Type a title, or paste links: they become its tabs."
          run={() => show({ kind: "new-task" })}
        />
        <Step
          done={hasDevice}
          icon="globe"
          name="Connect a browser"
          text="Save a whole window into a task, and open it again later."
          href="/account/devices"
        />
        <Step
          done={hasImported}
          icon="upload"
          name="Bring what you have"
          text="Bookmarks, saved tabs and to-dos from another tool."
          href="/account/import"
        />
        <Step
          done={hasKey}
          icon="key-round"
          name="Give an agent a key"
          text="It can read, add and change tasks, and can never delete one."
          href="/account/keys/new"
        />
      </ol>
      <p class="soft">
        {hasSample.value ? (
          <button type="button" class="link" onClick={() => void removeSample()}>
            Remove the example
          </button>
        ) : (
          <>
            Rather look at something first?{" "}
            <button type="button" class="link" onClick={() => void addSample()}>
              Add an example
            </button>
          </>
        )}
      </p>
    </section>
  );
};

type StepProps = {
  readonly done: boolean | undefined;
  readonly icon: IconName;
  readonly name: string;
  readonly text: string;
} & ({ readonly run: () => void } | { readonly href: string });

const Step = ({ done = false, icon, name, text, ...way }: StepProps) => {
  const inside = (
    <>
      <span class={`step-mark${done ? " done" : ""}`}>
        <Icon name={done ? "check" : icon} size={16} />
      </span>
      <span class="step-words">
        <b>
          {name}
          {done && <span class="hidden"> (done)</span>}
        </b>
        <span class="soft">{text}</span>
      </span>
    </>
  );
  return (
    <li>
      {"run" in way ? (
        <button type="button" class="step" onClick={way.run}>
          {inside}
        </button>
      ) : (
        <a class="step" href={way.href}>
          {inside}
        </a>
      )}
    </li>
  );
};
