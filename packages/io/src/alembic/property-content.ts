/** Constructors for the properties passed to `writeArchive`. */
import type { CompoundContent, PropertyContent } from './archive-writer.ts';
import type { Pod } from './pod.ts';
import type { SampledContent } from './sample-writer.ts';

export interface PropertyType {
  readonly pod: Pod;
  readonly extent: number;
  readonly metadata?: string;
}

/** Time sampling index and number of samples. */
export interface Samples {
  readonly sampling: number;
  readonly samples: number;
}

/** A single, static sample. */
export const ONE_SAMPLE: Samples = { sampling: 0, samples: 1 };

export function scalarContent(
  name: string,
  { pod, extent, metadata = '' }: PropertyType,
  samples: Samples,
  sample: SampledContent['sample'],
): SampledContent {
  return { kind: 'scalar', name, metadata, pod, extent, ...samples, sample };
}

export function arrayContent(
  name: string,
  { pod, extent, metadata = '' }: PropertyType,
  samples: Samples,
  sample: SampledContent['sample'],
): SampledContent {
  return { kind: 'array', name, metadata, pod, extent, ...samples, sample };
}

export function compoundContent(
  name: string,
  metadata: string,
  properties: readonly PropertyContent[],
): CompoundContent {
  return { kind: 'compound', name, metadata, properties };
}

/** The same sample at all times. */
export function repeated(bytes: Uint8Array): SampledContent['sample'] {
  return (t) => (t === 0 ? bytes : undefined);
}
