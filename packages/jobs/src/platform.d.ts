/**
 * The few globals of the platform that jobs use. They exist in browsers, workers and Node alike; declaring just these
 * keeps the package free of DOM and Node types, and so of everything else those would let in.
 */
declare class TextEncoder {
  encode(text: string): Uint8Array;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean });
  decode(input?: Uint8Array): string;
}

declare const performance: { now(): number };

declare class CompressionStream {
  constructor(format: 'deflate');
  readonly writable: { getWriter(): { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> } };
  readonly readable: { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }> } };
}

declare function btoa(binary: string): string;
