/** Packs S − I as xx, xy, xz, yy, yz, zz. */
export function packStretch(s: Float64Array, at: number, out: Float64Array, outAt: number): void {
  out[outAt] = s[at] - 1;
  out[outAt + 1] = s[at + 1];
  out[outAt + 2] = s[at + 2];
  out[outAt + 3] = s[at + 4] - 1;
  out[outAt + 4] = s[at + 5];
  out[outAt + 5] = s[at + 8] - 1;
}
