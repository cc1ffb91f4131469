/** A machine that a release has an executable for. */
export type Target = {
  readonly name: string;
  /** What `bun build` calls it. */
  readonly bun: string;
  /** The package on npm that carries Bun's runtime for it, and the digest of that package at Bun's version. */
  readonly runtime: string;
  readonly integrity: string;
  /** What Debian calls its processor; null where there is no package. */
  readonly debian: string | null;
};

/** The runtimes are the ones for processors without AVX2, which small servers often have. */
export const TARGETS: readonly Target[] = [
  {
    name: "linux-x64",
    bun: "bun-linux-x64-baseline",
    runtime: "@oven/bun-linux-x64-baseline",
    integrity:
      "sha512-s8yMwYcFnnrA178gji0gZbkE2WVDej/Ti1x770oPfihxyRxSMNhGhiAQNXV53aDeraZxksdvKV/RAdQBCd0qPA==",
    debian: "amd64",
  },
  {
    name: "linux-arm64",
    bun: "bun-linux-arm64",
    runtime: "@oven/bun-linux-aarch64",
    integrity:
      "sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==",
    debian: "arm64",
  },
  {
    name: "linux-x64-musl",
    bun: "bun-linux-x64-musl-baseline",
    runtime: "@oven/bun-linux-x64-musl-baseline",
    integrity:
      "sha512-cWJhU8h0+MiUgpSt99sQhjxLIIosKEcKYdtKddohokUvAuN6jKOy7g7+QDTZTXtwHxz93wL3BX+L6wXVPDUH3A==",
    debian: null,
  },
  {
    name: "linux-arm64-musl",
    bun: "bun-linux-arm64-musl",
    runtime: "@oven/bun-linux-aarch64-musl",
    integrity:
      "sha512-XCNc+WvvMAdNNb+OWTogpy+N9wm62fkVeEVLb6how0RZhW5LPi6c7BlkeVCuWps7XjEl2saFpHFa20/1E+PAHg==",
    debian: null,
  },
  {
    name: "darwin-x64",
    bun: "bun-darwin-x64-baseline",
    runtime: "@oven/bun-darwin-x64-baseline",
    integrity:
      "sha512-zqfLA5A4B+hYMh5WYzYSot3uZ06FzhdP0OEwQisEzdirYtXGj5cQFlfy31BGfNsAsk1Gd/w/OxJ/jqqJ3cMclw==",
    debian: null,
  },
  {
    name: "darwin-arm64",
    bun: "bun-darwin-arm64",
    runtime: "@oven/bun-darwin-aarch64",
    integrity:
      "sha512-4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==",
    debian: null,
  },
];
