/** What a target can take: presets for `--target`. The reasons are in the guide. */
export interface Target {
  readonly weights: number;
  /** Most bones; absent: as many as there are. */
  readonly bones?: number;
  readonly compress: 'none' | 'meshopt';
}

export const TARGETS: Readonly<Record<'three' | 'mobile' | 'desktop' | 'vrm', Target>> = {
  three: { weights: 4, compress: 'meshopt' },
  mobile: { weights: 4, bones: 64, compress: 'meshopt' },
  desktop: { weights: 8, compress: 'none' },
  vrm: { weights: 4, compress: 'none' },
};

export type TargetName = keyof typeof TARGETS;

export const TARGET_NAMES = Object.keys(TARGETS) as TargetName[];
