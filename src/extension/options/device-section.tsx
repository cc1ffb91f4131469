import { useSignal } from "@preact/signals";
import { askWorker, sentenceOf } from "../background/messages.ts";
import { receiveAs, receiveNoMore } from "../device/receive.ts";
import { ownName } from "../parts/arrived.tsx";
import { typedName } from "./state.ts";

/** Whether other devices can send tabs here, and under which name. */
export const DeviceSection = () => (
  <section>
    <h2>Tabs from your other devices</h2>
    {ownName.value === null ? <Off /> : <On name={ownName.value} />}
  </section>
);

const Off = () => {
  const problem = useSignal("");
  const turnOn = async (): Promise<void> => {
    try {
      await receiveAs(typedName.value);
      void askWorker("sync", null);
    } catch (error) {
      problem.value = sentenceOf(error);
    }
  };
  return (
    <form
      class="connect"
      onSubmit={(event) => {
        event.preventDefault();
        void turnOn();
      }}
    >
      <p class="soft">
        Give this browser a name, and you can send tabs to it from your other devices. They are kept
        in a task until you open them here.
      </p>
      <label for="device">Name of this device</label>
      <input
        id="device"
        class="field"
        autocomplete="off"
        value={typedName.value}
        onInput={(event) => (typedName.value = event.currentTarget.value)}
      />
      <div class="buttons">
        <button class="button">Receive tabs here</button>
      </div>
      {problem.value !== "" && (
        <p class="outcome bad" role="alert">
          {problem.value}
        </p>
      )}
    </form>
  );
};

const On = ({ name }: { readonly name: string }) => (
  <>
    <p class="soft">
      Your other devices can send tabs here. They find this browser as <b dir="auto">{name}</b>.
    </p>
    <div class="buttons">
      <button
        type="button"
        class="button"
        onClick={() => void receiveNoMore().then(() => askWorker("sync", null))}
      >
        Receive no more tabs
      </button>
    </div>
  </>
);
