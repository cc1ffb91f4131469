create table "claim" (
  "account_id" bigint not null,
  "task_id" text collate "C" not null,
  "id" text collate "C" not null,
  "key_id" text collate "C" not null,
  "until" bigint not null,
  "length" bigint not null,
  rowid bigint generated always as identity unique,
  primary key ("account_id", "task_id")
);

create table "departure" (
  "account_id" bigint not null,
  "container" text collate "C" not null,
  "task_id" text collate "C" not null,
  "stamp" bigint not null,
  rowid bigint generated always as identity unique,
  primary key ("account_id", "container", "task_id")
);

alter table "api_key" add column "review" bigint not null default 0;

alter table "api_key" add column "client" text collate "C";

alter table "code" add column "allowed" text collate "C";

create unique index "claim_id" on "claim" ("account_id", "id");

create index "departure_stamp" on "departure" ("account_id", "stamp");
