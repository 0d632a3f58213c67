import type { Mode } from '../store/document.ts';
import { useStudio } from './studio.ts';

/** Icons on an 18 × 18 grid, as paths. */
const ENTRIES: readonly (readonly [Mode, string, string])[] = [
  [
    'fit',
    'Fit',
    'M5 5m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M13 13m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M7 7l4 4',
  ],
  ['skeleton', 'Skeleton', 'M9 2v6M9 8l-5 7M9 8l5 7M9 8v5'],
  ['reduce', 'Reduce', 'M3 15V3M7 15V6M11 15v-5M15 15v-2'],
  [
    'pose',
    'Pose',
    'M6 9V4a1.3 1.3 0 0 1 2.6 0v4M8.6 8V3.4a1.3 1.3 0 0 1 2.6 0V8M11.200 8.500V5a1.300 1.300 0 0 1 2.600 0v5.500c0 3-1.800 5-4.600 5c-2.400 0-3.400-1-4.600-3.200L3 9.600c.8-1 2-.9 3 .6',
  ],
  [
    'skin',
    'Skin',
    'M2 9c2-3.500 4.500-5 7-5s5 1.500 7 5c-2 3.500-4.500 5-7 5s-5-1.500-7-5M9 9m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  ],
  ['volume', 'Volume', 'M9 2l6 3.500v7L9 16l-6-3.500v-7zM9 9l6-3.500M9 9v7M9 9L3 5.500'],
  [
    'puppet',
    'Puppet',
    'M9 3.500m-1.800 0a1.800 1.800 0 1 0 3.600 0a1.800 1.800 0 1 0-3.600 0M3 6.500l6 1.500l6-1.500M9 8v4M9 12l-3 4.500M9 12l3 4.500',
  ],
  [
    'face',
    'Face',
    'M9 2c4 0 5.500 2.800 5.500 6.500S12 16 9 16s-5.500-3.800-5.500-7.500S5 2 9 2M6.500 7.500v.5M11.500 7.500v.5M6.500 11.500c1.500 1.500 3.500 1.500 5 0',
  ],
];
const SHORTCUTS =
  'M9 12v.01M6.500 6.500a2.500 2.500 0 1 1 3.600 2.200c-.8.400-1.100.900-1.100 1.800M9 16.500a7.500 7.500 0 1 0 0-15a7.500 7.500 0 1 0 0 15';
const GALLERY = 'M2.500 2.500h5v5h-5zM10.500 2.500h5v5h-5zM2.500 10.500h5v5h-5zM10.500 10.500h5v5h-5z';

function Icon({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

export function Rail() {
  const { bench, document } = useStudio();
  const { store } = bench;
  return (
    <nav class="rail" aria-label="Modes">
      {ENTRIES.map(([mode, name, path]) => (
        <button
          key={mode}
          type="button"
          aria-current={document.mode.value === mode ? 'page' : undefined}
          onClick={() => {
            store.amend({ mode });
            // What was said was said about another mode.
            store.setSession({ notice: undefined });
          }}
        >
          <Icon path={path} />
          {name}
        </button>
      ))}
      <button type="button" class="foot" onClick={() => store.setSession({ dialog: 'gallery' })}>
        <Icon path={GALLERY} />
        Examples
      </button>
      <button type="button" title="Keyboard shortcuts (?)" onClick={() => store.setSession({ dialog: 'shortcuts' })}>
        <Icon path={SHORTCUTS} />
        Keys
      </button>
    </nav>
  );
}
