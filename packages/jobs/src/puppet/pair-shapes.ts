/** What pairs say of the character in terms of its examples: names, blends, handles on the skin. */
import { type CharacterSource, InputError, type PairedPose, type Poser, type ShapeSource } from '@pelt/model';
import type { PoseSpace } from '@pelt/skin/pose';
import { handleList } from '../input/handle-examples.ts';
import type { LoadedPoser } from '../input/learn-poser.ts';
import type { Job } from '../job.ts';

/** Gap of a handle that is met, in model sizes. */
const MET = 0.01;

/** Whether a pair gives the character's pose by its examples, and not by bones. */
export function isShapeSource(source: CharacterSource): source is ShapeSource {
  return 'example' in source || 'blend' in source || 'handles' in source;
}

/**
 * Solves the character's side of pairs in its pose space.
 *
 * @param withShape  keep the numbers of the pose space, for a character that has nothing else
 */
export function shapeSolver(
  { poser, labels = [] }: Pick<LoadedPoser, 'poser' | 'labels'>,
  space: PoseSpace,
  withShape: boolean,
  { warn }: Pick<Job, 'warn'>,
): (source: ShapeSource) => PairedPose {
  const known = (name: string) => labelled(name, poser, labels);
  return (source) => {
    const shape = shapeOf(source, poser, space, known, warn);
    const transforms = new Float64Array(12 * poser.rig.bones.length);
    space.pose(shape, transforms);
    return { transforms, ...(withShape && { shape }) };
  };
}

function shapeOf(
  source: ShapeSource,
  poser: Poser,
  space: PoseSpace,
  known: (name: string) => string,
  warn: (message: string) => void,
): Float64Array {
  if ('example' in source) return space.ofExample(known(source.example));
  if ('blend' in source) {
    const rest = space.ofExample('rest');
    const out = rest.slice();
    for (const [name, share] of Object.entries(source.blend)) {
      const example = space.ofExample(known(name));
      for (let k = 0; k < out.length; k++) out[k] += share * (example[k] - rest[k]);
    }
    return out;
  }
  const handles = handleList(source.handles);
  const { pose, errors } = space.ofHandles(handles);
  const far = errors.findIndex((error) => error > MET * poser.size);
  if (far >= 0) {
    const { vertex } = handles[far];
    warn(`vertex ${vertex} of a pair is ${errors[far].toPrecision(2)} from its place, which the examples do not reach`);
  }
  return pose;
}

/** The name of an example where a file was named that it was learnt from. */
function labelled(name: string, { exampleNames }: Poser, labels: readonly string[]): string {
  if (exampleNames.includes(name)) return name;
  const at = labels.indexOf(name);
  if (at >= 0) return exampleNames[at];
  if (name === 'rest') return name;
  const names = labels.length > 0 ? labels : exampleNames;
  throw new InputError(`there is no example '${name}'; there are rest, ${names.slice(0, 40).join(', ')}`);
}
