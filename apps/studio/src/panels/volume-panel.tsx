import { useSignal } from '@preact/signals';
import type { BoundBody } from '../jobs/bind-body.ts';
import type { BodyTool } from '../viewport/body-guest.ts';
import type { JointGuest } from '../viewport/joint-guest.ts';
import { BodyHands } from './body-hands.tsx';
import { download } from './download.ts';
import { JointClipControls } from './joint-clip.tsx';
import { JointHands } from './joint-hands.tsx';
import { JointReach } from './joint-reach.tsx';
import { JointSwing } from './joint-swing.tsx';
import { Runs } from './runs.tsx';
import { ShapeFigures } from './shape-figures.tsx';
import { Beside, SolidOptions, solverOptions } from './solid-options.tsx';
import { useStudio } from './studio.ts';

/** A closed mesh as a solid body, turned by its joints, beside the skinning that it would have otherwise. */
export function VolumePanel() {
  const { bench, document, character, session } = useStudio();
  const { library } = bench;
  const base = character.value;
  const bound = useSignal<{ readonly run: string; readonly body: BoundBody } | undefined>(undefined);
  const tool = useSignal<BodyTool | undefined>(undefined);
  const { files: [file] = [], played } = library.get(base?.id) ?? {};
  const hasOwnSkin = played?.learnt !== undefined;
  const fill = async () => {
    if (!base) return;
    const body = await bench.bind(base.id);
    if (body) bound.value = { run: base.id, body };
  };
  const body = bound.value?.run === base?.id ? bound.value?.body : undefined;
  const task = session.task.value;
  const { constraints, more, examples, at } = document.volume.value;
  const solving = solverOptions(more);
  const names = [
    ['volume', 'volume', 'As a solid body'],
    ['linear', 'linear', 'Linear blend skinning'],
    ['dual', 'dual quat.', 'Dual quaternion skinning'],
    ...(hasOwnSkin && base ? [['own', 'own skin', base.title] as const] : []),
  ] as const;
  const heading = (
    <div class="heading">
      <h2>Volume</h2>
      <span class="dim small">{base ? base.title : ''}</span>
    </div>
  );
  if (tool.value) {
    return (
      <>
        {heading}
        <BodyHands
          key={tool.value}
          tool={tool.value}
          onClose={() => {
            tool.value = undefined;
          }}
        />
      </>
    );
  }
  return (
    <>
      {heading}
      {!base?.jointed && (
        <p class="dim">Joints turn the body. Place them by clicking, find a skeleton, or open a rigged file.</p>
      )}
      {base?.jointed && !body && (
        <p class="dim">
          Fills the closed surface with tetrahedra that keep their volume, so that joints bend without collapsing.
        </p>
      )}
      {task ? (
        <button type="button" class="button wide" onClick={() => bench.cancel()}>
          Cancel · {task.stage}
        </button>
      ) : (
        !body && (
          <>
            {base?.jointed && (
              <button type="button" class="button primary wide" onClick={() => void fill()}>
                Fill the body
              </button>
            )}
            <div class="row">
              <button
                type="button"
                class={`button ${base?.jointed ? '' : 'primary'}`}
                disabled={!document.input.value}
                onClick={() => {
                  tool.value = 'joints';
                }}
              >
                Place joints
              </button>
              <button
                type="button"
                class="button"
                disabled={!base?.jointed}
                title="Choose which vertices hold to the bones"
                onClick={() => {
                  tool.value = 'paint';
                }}
              >
                Paint constraints
              </button>
            </div>
            {constraints && <p class="dim small">{constraints.length} painted vertices hold to the bones.</p>}
          </>
        )
      )}
      {base && file && body && (
        <JointHands
          key={`${base.id} ${JSON.stringify(solving)}`}
          names={names}
          more={(hand) => (
            <>
              <Beside guest={hand.guest} names={names} />
              <ShapeFigures {...hand} names={names} />
              <JointReach {...hand} />
              <JointSwing guest={hand.guest} />
              <JointClipControls {...hand} file={file} skin={{ name: hand.shown, more, examples, at }} />
            </>
          )}
          manners={async () => {
            const bytes = body.glb.buffer;
            return [
              { name: 'volume', bytes, binding: body.binding, volume: solving },
              { name: 'linear', bytes, skinning: 'linear' },
              { name: 'dual', bytes, skinning: 'dual-quaternion' },
              ...(hasOwnSkin ? [{ name: 'own', bytes: await file.blob.arrayBuffer() }] : []),
            ];
          }}
          action={['Save OBJ', (guest) => void saveObj(guest, file.path)]}
          onClose={() => {
            bound.value = undefined;
          }}
        />
      )}
      {base?.jointed && <SolidOptions />}
      <Runs />
    </>
  );
}

/** The shape that is shown. */
async function saveObj(guest: JointGuest, path: string): Promise<void> {
  const { writeObj } = await import('@pelt/io');
  const name = path.replace(/\.glb$/, '-turned.obj');
  const [file] = writeObj(guest.shape, { name });
  download(new Blob([file.bytes]), name);
}
