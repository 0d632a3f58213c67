/** The one global of the platform that packing uses; it exists in browsers, workers and Node alike. */
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}
