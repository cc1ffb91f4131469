import type { ComponentChildren } from "preact";
import type { Account } from "../../domain/people/account.ts";
import { Icon, Mark } from "../../ui/parts/marks.tsx";
import { assetPath } from "../assets.ts";

const NAVIGATION = [
  ["/tasks", "Tasks", "list-checks"],
  ["/account", "Overview", "columns-3"],
  ["/account/keys", "API keys", "key-round"],
  ["/account/activity", "Activity", "bot"],
  ["/account/devices", "Devices", "globe"],
  ["/account/import", "Import", "upload"],
  ["/account/security", "Security", "user"],
  ["/account/server", "Server", "server"],
] as const;

type PlacePath = (typeof NAVIGATION)[number][0];

type LayoutProps = {
  readonly title: string;
  /** Who is signed in; null on pages that come before sign-in. */
  readonly account?: Account | null;
  /** The section that the page belongs to. */
  readonly at?: PlacePath;
  /** What people most often come to this page for: a button beside its title. */
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** The frame of every page: the head, the navigation for someone who is signed in, and the content. */
export const Layout = ({ title, account = null, at, action, children }: LayoutProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · Docket`}</title>
      <link rel="icon" href={assetPath("icon.svg")} type="image/svg+xml" />
      <link rel="stylesheet" href={assetPath("style.css")} />
      <script src={assetPath("app.js")} type="module" />
    </head>
    <body class={account ? "wide" : "narrow"}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header>
        <a class="brand" href={account ? "/tasks" : "/account"}>
          <Mark size={24} />
          Docket
        </a>
        {account && <Navigation account={account} at={at} />}
      </header>
      <main id="main">
        <div class="title">
          <h1>{title}</h1>
          {action}
        </div>
        {children}
      </main>
    </body>
  </html>
);

const Navigation = ({
  account,
  at,
}: {
  readonly account: Account;
  readonly at: PlacePath | undefined;
}) => (
  <>
    <nav aria-label="Account">
      <ul>
        {NAVIGATION.filter(([path]) => account.isOwner || path !== "/account/server").map(
          ([path, name, icon]) => (
            <li key={path}>
              <a href={path} aria-current={path === at ? "page" : undefined}>
                <Icon name={icon} /> {name}
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
    <form class="signed-in" method="post" action="/sign-out">
      <span class="email">{account.email}</span>
      <button class="quiet">Sign out</button>
    </form>
  </>
);
