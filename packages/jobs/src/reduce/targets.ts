/** What a target can take: presets for `--target`. The reasons are in the guide. */
export interface Target {
  readonly weights: number;
  /** Most bones; absent: as many as there are. */
  readonly bones?: number;
  readonly compress: 'none' | 'meshopt';
  /** Most texels of the longer side of an image, where images are encoded again. */
  readonly texels?: number;
}

export const TARGETS: Readonly<Record<'three' | 'web' | 'mobile' | 'desktop' | 'vrm', Target>> = {
  three: { weights: 4, compress: 'meshopt' },
  web: { weights: 4, compress: 'meshopt', texels: 2048 },
  mobile: { weights: 4, bones: 64, compress: 'meshopt', texels: 1024 },
  desktop: { weights: 8, compress: 'none' },
  vrm: { weights: 4, compress: 'none' },
};

export type TargetName = keyof typeof TARGETS;

export const TARGET_NAMES = Object.keys(TARGETS) as TargetName[];
