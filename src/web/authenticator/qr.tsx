import { encodeQR } from "qr";

/** Light modules around the code, without which readers do not find it (ISO/IEC 18004, 6.3.8). */
const MARGIN = 4;

/** A QR code: dark on light in a dark scheme too, as readers expect. */
export const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: MARGIN });
  const dark = rows.flatMap((row, y) => row.flatMap((is, x) => (is ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shape-rendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
};
