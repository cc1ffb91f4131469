import { assetPath } from "../assets.ts";

/** `GET /tasks/manifest.webmanifest`: how the web app looks and what it offers once it is installed. */
export const manifest = () => ({
  id: "/tasks",
  name: "Docket",
  short_name: "Docket",
  description: "Your tasks, and the tabs and notes that belong to them.",
  start_url: "/tasks",
  scope: "/tasks",
  display: "standalone",
  background_color: "#f6f6f4",
  theme_color: "#f6f6f4",
  categories: ["productivity"],
  icons: [
    { src: assetPath("icon.svg"), type: "image/svg+xml", sizes: "any", purpose: "any" },
    { src: "/tasks/icon-192.png", type: "image/png", sizes: "192x192", purpose: "any" },
    { src: "/tasks/icon-512.png", type: "image/png", sizes: "512x512", purpose: "any" },
    {
      src: "/tasks/icon-maskable.png",
      type: "image/png",
      sizes: "512x512",
      purpose: "maskable",
    },
  ],
  shortcuts: [
    { name: "New task", url: "/tasks/today?new" },
    { name: "Inbox", url: "/tasks/inbox" },
    { name: "Search", url: "/tasks/search" },
  ],
  share_target: {
    action: "/tasks/share",
    method: "GET",
    params: { title: "title", text: "text", url: "url" },
  },
});
