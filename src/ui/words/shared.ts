import { isWebAddress } from "../../client/views.ts";
import { innerAddress } from "../../domain/tasks/inner-address.ts";
import { linksIn } from "./drafts.ts";
import { type Link, splitLinks } from "./links.ts";

/**
 * Returns the links that another app, or the bookmarklet, shares. Apps put the address into any of the three fields,
 * with or without words. An address that is a whole field is kept exactly. A link without a title gets the words.
 */
export const sharedLinks = (query: URLSearchParams): readonly Link[] => {
  const [url = "", text = "", title = ""] = ["url", "text", "title"].map(
    (name) => query.get(name)?.trim() ?? "",
  );
  const sent = distinct([...linksInField(url), ...linksIn(text)]);
  const links = sent.length > 0 ? sent : linksIn(title);
  const [first, ...others] = links;
  if (!first || others.length > 0 || first.title !== undefined) return links;
  const name = (isAddress(title) ? "" : title) || wordsIn(text) || wordsIn(url);
  return name === "" || name === first.url ? links : [{ ...first, title: name }];
};

const linksInField = (url: string): readonly Link[] =>
  isAddress(url) ? [{ url: innerAddress(url).url }] : linksIn(url);

const isAddress = (text: string): boolean =>
  isWebAddress(innerAddress(text).url) && !/\s/.test(text);

/** A text often repeats the address, in a sentence whose punctuation was taken from its end. */
const distinct = (links: readonly Link[]): readonly Link[] =>
  links.filter(
    ({ url }, at) =>
      !links
        .slice(0, at)
        .some(
          (earlier) =>
            earlier.url.startsWith(url) &&
            /^[.,;:!?*|'’(){}[\]]*$/.test(earlier.url.slice(url.length)),
        ),
  );

const wordsIn = (text: string): string =>
  isAddress(text) ? "" : splitLinks(text.replaceAll(/\s+/g, " ")).title;
