/** Takes pictures one after the other, and gives a file. */
export interface Film {
  /** How pictures are coded, where a format leaves that open. */
  readonly codec: string | undefined;
  add(canvas: HTMLCanvasElement): Promise<void>;
  finish(): Promise<Uint8Array>;
}
