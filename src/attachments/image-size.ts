/** The pixels that an image says it has; undefined where its header does not say. */
export function readImageSize(content: Uint8Array, mediaType: string): { width: number; height: number } | undefined {
  const view = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  try {
    switch (mediaType) {
      case "image/png":
        return { width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
      case "image/gif":
        return { width: view.readUInt16LE(6), height: view.readUInt16LE(8) };
      case "image/bmp":
        return { width: Math.abs(view.readInt32LE(18)), height: Math.abs(view.readInt32LE(22)) };
      case "image/jpeg":
        return readJpegSize(view);
      case "image/webp":
        return readWebpSize(view);
    }
  } catch (error) {
    // A header that ends too early says nothing.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

/** Walks from one segment to the next until one begins a frame. */
function readJpegSize(view: Buffer): { width: number; height: number } | undefined {
  for (let at = 2; view[at] === 0xff; ) {
    const kind = view.readUInt8(at + 1);
    if (kind === 0xff) at++;
    else if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind))
      return { width: view.readUInt16BE(at + 7), height: view.readUInt16BE(at + 5) };
    else at += 2 + view.readUInt16BE(at + 2);
  }
  return undefined;
}

function readWebpSize(view: Buffer): { width: number; height: number } | undefined {
  switch (view.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: 1 + view.readUIntLE(24, 3), height: 1 + view.readUIntLE(27, 3) };
    case "VP8 ":
      return { width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = view.readUInt32LE(21);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    default:
      return undefined;
  }
}
