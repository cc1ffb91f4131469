import { expect, test } from "bun:test";
import { readMigrations } from "../../../../src/db/sqlite/files/migrations.ts";
import { COMMITTED, readJournal } from "../../../support/db/migrations.ts";

/**
 * SHA-256 of each migration's file, to the byte, as databases everywhere remember it. A new migration gets a line here.
 * No line ever changes: a program with another digest refuses every database that exists.
 */
const DIGESTS = [
  ["0000_service", "bcd2113bf5c9f7beb36b5b5b423da99a972d318855f756de396329100a2b5833"],
  ["0001_account_area", "c1aad2ff7c55923e6747dd1ce620de3660c15479dad0cc0389b5ab280a16549b"],
  ["0002_history", "d677525c21fc3fd897ac58c8233d26ff612f5997e2e4d90c17bcabdacc702775"],
  ["0003_agents", "476637f885f1069ca7b84c11eff37df4d8d2358a2a32bce8c5a64a0648b9d2f2"],
  ["0004_task_fields", "14b1e03ab16f5ffe19e3b619f2e95490e016428dfde14c1e37fc2b4c12d96113"],
  ["0005_merge_by_history", "814f51fabc9d44e8282fce7f1a057ee7aeaf97af246b948fc725e0d17b104523"],
  ["0006_without_guards", "8c18546988f0a45518dc1d9deb855898289e25dbfb91074d313f5988242b0a59"],
  ["0007_base_of_refused", "08ee6f31ac4d2e991f77a2aa5e3321094b648c04fad8a43e2039082378710f23"],
  ["0008_search_of_its_own", "9f4bb9fd7cbc0791bd663d79badc2d46ccc8bd043b85fb47447327a849cae5d3"],
  ["0009_authenticator", "73f7f87a1ac91d34daf043517a4e55b5aa3ec0b3989fadd419bea011b031a8da"],
  ["0010_field_times", "21ae9a9433d46265759294a0e9328b17a56dc3739a2630f46b44112e7a80f3e7"],
  [
    "0011_closed_tasks_in_indexes",
    "7c7ca02af5aa50de27848ef2abdfdb4de3f2a7bfaa13290e55cd7bf0ac4032d8",
  ],
  ["0012_trash_of_its_own", "6f713666a09525bf87259a39591e8c6859557d9e4825bcb93586d6bd3403a5ac"],
  ["0013_history_shares", "0ac2bfbe22af78e64900df15950865bc71266cd4bf05848273475864374a6205"],
  [
    "0014_tags_and_folder_names",
    "edf96a9bbd7207e3ef251a19ab568e7b19e4f9d17528e7987bbd6dc018033ecd",
  ],
  ["0015_imports", "bb2afbabe5d893b0004b559c39f51ff0c04968442ebd0a738afb1ae47cfe40f0"],
  ["0016_import_files", "0f78654bc7c30e7bbcce29b9007272f4cbff8064d06036a65b854674370a35af"],
  ["0017_icons", "2b38362b4426bbae791210f5acac9977d76126d81e2befb388153fe711a3cfc3"],
  ["0018_agents_at_work", "979fbd744511fc441d2db0839e4ee033682e24eb900e01768a83502bc21a1ea8"],
];

test("The committed migrations are those that existing databases remember, to the byte", () => {
  const tags = readJournal().entries.map(({ tag }) => tag);
  const found = readMigrations(COMMITTED).map(({ hash }, index) => [tags[index] ?? "", hash]);
  expect(found).toEqual(DIGESTS);
});
