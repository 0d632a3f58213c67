/** Reading of blend shapes for whoever shows them, by the same rules as the command. */
import type { SliderShapes } from '@pelt/skin/sliders';
import type { ReadingHost } from '../input/open-for-view.ts';
import { OpenedFiles } from '../input/opened-files.ts';
import { loadShapes } from './load-shapes.ts';

/** How the files of a face are to be taken. */
export interface ShapesOptions {
  /** The neutral face, where the inputs are shapes. */
  readonly rest?: string | undefined;
}

/**
 * The blend shapes of a face: morph targets of a glTF, or a neutral face and one shape per slider.
 *
 * @param inputs  as `pelt sliders` takes them
 * @example
 * {@includeCode ../../examples/open-shapes.ts}
 */
export async function openShapes(
  inputs: readonly string[],
  { rest }: ShapesOptions,
  host: ReadingHost,
): Promise<SliderShapes> {
  const { files, opened = new OpenedFiles(), onWarning = () => {} } = host;
  const options = { rest, names: undefined, unit: undefined, recording: undefined };
  const { shapes } = await loadShapes({ inputs, options }, { files, opened, context: host, warn: onWarning });
  return shapes;
}
