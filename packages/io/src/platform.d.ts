/**
 * The few globals of the platform that io uses. They exist in browsers, workers and Node alike; declaring just these
 * keeps the package free of DOM and Node types, and so of everything else those would let in.
 */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array): string;
}

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare function atob(base64: string): string;

declare class URL {
  constructor(url: string, base: string);
  readonly href: string;
}

interface ImportMeta {
  readonly url: string;
}
