/** The globals of the platform that packing uses; they exist in browsers, workers and Node alike. */
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  decode(input?: Uint8Array): string;
}
