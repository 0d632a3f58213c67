/** Colours that people with any vision can tell apart. Okabe, Ito. Color universal design. 2008. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8d6fc7', '#a98a55'];

export function pairColour(place: number): string {
  return COLOURS[place % COLOURS.length];
}
