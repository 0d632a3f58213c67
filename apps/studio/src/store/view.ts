/** How things are looked at: kept with the project, but not undone. */

export const LAYOUTS = ['split', 'beside', 'overlay', 'result'] as const;
export type Layout = (typeof LAYOUTS)[number];

export const COLOURINGS = ['surface', 'heat', 'weights', 'bones'] as const;
export type Colouring = (typeof COLOURINGS)[number];

export type Theme = 'system' | 'dark' | 'light';

export interface View {
  readonly layout: Layout;
  readonly colouring: Colouring;
  /** Where the dividing line is, as a part of the width. */
  readonly split: number;
  /** Distance at the end of the heat map, in parts of the diagonal; undefined follows the run. */
  readonly heatLimit: number | undefined;
  /** The bones whose weights are shown, summed; none shows all of them by colour. */
  readonly bones: readonly number[];
  readonly frame: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly loop: boolean;
  readonly theme: Theme;
  /** Whether the ground has lines. */
  readonly grid: boolean;
  /** Whether the poses of the keys before and after are seen through. */
  readonly onion: boolean;
}

export const FIRST_VIEW: View = {
  layout: 'split',
  colouring: 'heat',
  split: 0.5,
  heatLimit: undefined,
  bones: [],
  frame: 0,
  playing: true,
  speed: 1,
  loop: true,
  theme: 'system',
  grid: true,
  onion: false,
};
