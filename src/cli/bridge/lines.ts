const NEWLINE = 10;

/**
 * The lines of a stream of bytes, without their line ends. A line of more than `most` bytes comes as null, and
 * no more than that of it is held in memory.
 */
export async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Buffer | null> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const line = (): Buffer | null => (length > most ? null : Buffer.concat(parts));
  for await (const chunk of stream) {
    for (let from = 0, end = 0; end !== -1; from = end + 1) {
      end = chunk.indexOf(NEWLINE, from);
      const piece = chunk.subarray(from, end === -1 ? chunk.length : end);
      length += piece.length;
      if (length > most) parts = [];
      else parts.push(piece);
      if (end === -1) break;
      yield line();
      [parts, length] = [[], 0];
    }
  }
  if (length > 0) yield line();
}
