import { CURRENT, LAST } from "../bridge.ts";

// How the official suite's scenarios are used. A new scenario fails the test until it is in one of
// these tables.

/** The scenarios to run, by revision, each with the ids of its checks that do not apply. */
export const RUN: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  [CURRENT]: {
    "server-stateless": [
      // They call tools of the suite's own (test_*), which call the client back or log.
      "sep-2575-server-rejects-undeclared-capability",
      "sep-2575-missing-capability-http-400",
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-server-no-log-without-loglevel",
      // Nothing here changes that a client could subscribe to.
      "sep-2575-server-sends-subscription-ack",
      "sep-2575-server-tags-subscription-id",
      "sep-2575-server-honors-notification-filter",
      "sep-2575-server-sends-prompts-list-changed-on-subscription",
      "sep-2575-server-sends-tools-list-changed-on-subscription",
    ],
    "tools-list": [],
    "server-sse-multiple-streams": [],
    "dns-rebinding-protection": [],
    caching: [
      // There are no prompts and no resources.
      "sep-2549-prompts-list-caching-hints",
      "sep-2549-resources-list-caching-hints",
      "sep-2549-resources-templates-list-caching-hints",
      "sep-2549-resources-read-caching-hints",
    ],
    "http-header-validation": [],
  },
  [LAST]: {
    "server-initialize": [],
    ping: [],
    "tools-list": [],
    "dns-rebinding-protection": [],
  },
  "2025-06-18": { "server-initialize": [], ping: [], "tools-list": [] },
};

/**
 * The scenarios that are not run, by the reason, unless they are above. Extensions belong to no
 * revision, and Docket has none.
 */
export const LEFT: Readonly<Record<string, readonly string[]>> = {
  "It calls tools of the suite's own, test_*.": [
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "json-schema-2020-12",
  ],
  "It calls tools of the suite's own, which ask a person or the client back.": [
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-request-state",
    "input-required-result-multiple-input-requests",
    "input-required-result-multi-round",
    "input-required-result-missing-input-response",
    "input-required-result-non-tool-request",
    "input-required-result-result-type",
    "input-required-result-unsupported-methods",
    "input-required-result-tampered-state",
    "input-required-result-capability-check",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
  ],
  "No tool takes an argument from a header.": ["http-custom-header-server-validation"],
  "There are no resources: the tools read.": [
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
    "sep-2164-resource-not-found",
  ],
  "There are no prompts.": [
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ],
  "There is nothing to complete: no prompts, no resources.": ["completion-complete"],
  "The server's log is for its owner.": ["logging-set-level"],
  "There are no sessions, and replies come whole, so that none is resumed.": [
    "server-session-lifecycle",
    "server-sse-polling",
    "server-sse-multiple-streams",
  ],
};
