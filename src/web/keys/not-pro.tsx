import { Notice } from "../ui/fields.tsx";

/** Why the account cannot create keys, and what would change that. */
export const NotPro = () => (
  <Notice>
    API keys need the Pro plan, and your account is on the free plan. You cannot create keys, and
    the keys you have do not work. The person who runs this server can change your plan with this
    command: <code>docket account plan YOUR-EMAIL pro</code>
  </Notice>
);
