/** Whose tasks this browser shows. */
export type Account = { readonly id: string; readonly email: string };

const PLACE = "docket-account";

/** The account that this browser showed last, so that the app opens without a network. Null after signing out. */
export const rememberedAccount = (): Account | null => {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? "null") as Partial<Account> | null;
    return typeof kept?.id === "string" && typeof kept.email === "string"
      ? { id: kept.id, email: kept.email }
      : null;
  } catch {
    return null;
  }
};

export const rememberAccount = (account: Account): void => {
  localStorage.setItem(PLACE, JSON.stringify(account));
};

export const forgetAccount = (): void => {
  localStorage.removeItem(PLACE);
};
