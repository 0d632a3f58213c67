import type { RunCommand } from '../store/document.ts';
import type { RequestOptions } from '../store/requests.ts';

const SKINS: Readonly<Record<string, string>> = {
  'linear-maps': 'learnt skin',
  wang: 'learnt, Wang',
  psd: 'pose space',
  ssd: 'refitted weights',
  'mohr-gleicher': 'added joints',
};

/** A run in a few words, for the list: `12 bones`, `12 bones, affine`, `2 weights`. */
export function titleOf(command: RunCommand, bones: number, weights: number, options: RequestOptions): string {
  const counted = `${bones} ${bones === 1 ? 'bone' : 'bones'}`;
  if (command === 'skeleton') return `${counted}, jointed`;
  if (command === 'fit') {
    const { method } = options;
    return method === undefined || method === 'ssdr' ? counted : `${counted}, ${method}`;
  }
  if (command === 'envelope') return SKINS[String(options.predictor)] ?? 'learnt skin';
  if (options.budget !== undefined) return `within ${options.budget} KB`;
  if (options.method === 'two-layer') return `${counted}, two layers`;
  const by = options.method === undefined ? '' : `, ${options.method}`;
  return `${counted}, ${weights} ${weights === 1 ? 'weight' : 'weights'}${by}`;
}
