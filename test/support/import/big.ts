/** Large files of four formats, with this many links. */
export const FILES_OF: Readonly<Record<string, (links: number) => string>> = {
  onetab: (links) =>
    lines(links, (at) => `${address(at)} | Page ${at}${at % 40 === 39 ? "\n" : ""}`).join("\n"),
  netscape: (links) =>
    [
      "<!DOCTYPE NETSCAPE-Bookmark-file-1><H1>Bookmarks</H1><DL><p>",
      ...lines(links, (at) =>
        [
          at % 50 === 0 ? `<DT><H3>Shelf ${at / 50}</H3><DL><p>` : "",
          `<DT><A HREF="${address(at)}" ADD_DATE="${1_600_000_000 + at}">Mark ${at}</A>`,
          at % 50 === 49 ? "</DL><p>" : "",
        ].join("\n"),
      ),
    ].join("\n"),
  "tab-session-manager": (links) =>
    JSON.stringify(
      lines(Math.ceil(links / 200), (session) => ({
        windows: {
          1: Object.fromEntries(
            lines(200, (at) => [
              at,
              { index: at, url: address(session * 200 + at), title: `Tab ${at}` },
            ]),
          ),
        },
        tag: [],
        name: `Session ${session}`,
        id: `session-${session}`,
      })),
    ),
  raindrop: (links) =>
    [
      "id,title,note,excerpt,url,folder,tags,created",
      ...lines(links, (at) => `${at},"Item, ${at}",,,${address(at)},Shelf ${at % 30},"a, b",`),
    ].join("\n"),
};

const lines = <Line>(count: number, line: (at: number) => Line): readonly Line[] =>
  Array.from({ length: count }, (_, at) => line(at));

const address = (at: number): string => `https://site${at % 977}.example.org/page/${at}`;
