import { boneColours, cssColour, heatStops } from '../viewport/palette.ts';
import { heatScale } from '../viewport/viewport.ts';
import { percent } from './amounts.ts';
import { useStudio } from './studio.ts';

const STOPS = heatStops(24);

/** What the colours mean; the end of the heat map can be fixed, so that runs are compared by one scale. */
export function Legend() {
  const { bench, document, view, session } = useStudio();
  const run = document.runs.value.find(({ id }) => id === document.shown.value);
  const colouring = view.colouring.value;
  if (colouring === 'heat') {
    const fixed = view.heatLimit.value;
    const limit = fixed ?? heatScale(session.pair.value?.p999 ?? run?.spread.p999);
    return (
      <div class="legend">
        <div class="scale" aria-hidden="true">
          {STOPS.map((colour) => (
            <i key={colour} style={{ background: colour }} />
          ))}
        </div>
        <div class="ends">
          <span>0</span>
          <span>distance, of the diagonal</span>
          <button
            type="button"
            title={fixed === undefined ? 'Fix the scale (H)' : 'Let the scale follow the run (H)'}
            aria-pressed={fixed !== undefined}
            onClick={() => bench.store.setView({ heatLimit: fixed === undefined ? limit : undefined })}
          >
            {percent(limit)}
            {fixed !== undefined && ' fixed'}
          </button>
        </div>
      </div>
    );
  }
  if (colouring !== 'weights' || !run) return null;
  const bones = view.bones.value;
  return (
    <div class="legend">
      <div class="scale" aria-hidden="true">
        {bones.length === 0
          ? boneColours(Math.min(run.bones, 24)).map((colour) => (
              <i key={colour.join()} style={{ background: cssColour(colour) }} />
            ))
          : STOPS.slice(0, 15).map((colour) => <i key={colour} style={{ background: colour }} />)}
      </div>
      <div class="ends">
        {bones.length === 0 ? (
          <span>{run.bones} bones; click one, or Shift and drag</span>
        ) : (
          <>
            <span>
              {bones.length === 1 ? `weight of bone ${bones[0]}` : `weights of ${bones.length} bones`}, 0 to 1
            </span>
            <button type="button" onClick={() => bench.store.setView({ bones: [] })}>
              all bones
            </button>
          </>
        )}
      </div>
    </div>
  );
}
