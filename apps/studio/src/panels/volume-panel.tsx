import type { VolumeBinding } from '@pelt/skin/volume/runtime';
import { useSignal } from '@preact/signals';
import { JointHands } from './joint-hands.tsx';
import { Runs } from './runs.tsx';
import { useStudio } from './studio.ts';

/** A closed mesh as a solid body, turned by its joints, beside the skinning that it would have otherwise. */
export function VolumePanel() {
  const { bench, base: starting, session } = useStudio();
  const { library } = bench;
  const base = starting.value;
  const bound = useSignal<{ readonly run: string; readonly binding: VolumeBinding } | undefined>(undefined);
  const [file] = library.get(base?.id)?.files ?? [];
  const fill = async () => {
    if (!file || !base) return;
    const binding = await bench.bind(file);
    if (binding) bound.value = { run: base.id, binding };
  };
  const body = bound.value;
  const task = session.task.value;
  return (
    <>
      <div class="heading">
        <h2>Volume</h2>
        <span class="dim small">{base ? base.title : ''}</span>
      </div>
      {!base?.jointed && <p class="dim">Find a skeleton first, or open a rigged file: its joints turn the body.</p>}
      {base?.jointed && body?.run !== base.id && (
        <p class="dim">
          Fills the closed surface with tetrahedra that keep their volume, so that joints bend without collapsing.
        </p>
      )}
      {task ? (
        <button type="button" class="button wide" onClick={() => bench.cancel()}>
          Cancel · {task.stage}
        </button>
      ) : (
        base?.jointed &&
        body?.run !== base.id && (
          <button type="button" class="button primary wide" onClick={() => void fill()}>
            Fill the body
          </button>
        )
      )}
      {base && file && body?.run === base.id && (
        <JointHands
          key={base.id}
          showVolume
          names={[
            ['volume', 'volume', 'As a solid body'],
            ['linear', 'linear', 'Linear blend skinning'],
            ['dual', 'dual quat.', 'Dual quaternion skinning'],
          ]}
          manners={async () => {
            const bytes = await file.blob.arrayBuffer();
            return [
              { name: 'volume', bytes, binding: body.binding },
              { name: 'linear', bytes },
              { name: 'dual', bytes, skinning: 'dual-quaternion' },
            ];
          }}
          onClose={() => {
            bound.value = undefined;
          }}
        />
      )}
      <Runs />
    </>
  );
}
