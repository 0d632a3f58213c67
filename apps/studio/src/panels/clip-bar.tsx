/** Above the tracks: the clips of a character, and what is done with the keys that are chosen. */
import { useSignal } from '@preact/signals';
import { copiedKeys, easedKeys, freeName, pastedKeys, removedKeys } from '../store/clips.ts';
import { withNewClip } from '../store/document.ts';
import { EASES, type Ease, FIRST_CURVE, type Key } from '../store/keys.ts';
import { EaseCurve } from './ease-curve.tsx';
import { chosenIn, editClip } from './keying.ts';
import { type Studio, useStudio } from './studio.ts';

/** More clips than this are in a menu. */
const MOST_TABS = 4;

const EASE_TITLES: Readonly<Record<Ease, string>> = {
  smooth: 'Through the keys without a stop at each',
  slow: 'Slow at both ends, a stop at each key',
  linear: 'At one speed',
  hold: 'Stays until the next key',
  curve: 'As you draw it',
};

export function ClipBar() {
  const studio = useStudio();
  const { bench, session, view, clip, keyHere } = studio;
  const { store } = bench;
  const now = clip.value;
  const chosen = chosenIn(now, session.chosenKeys.value);
  const keys = chosen.map(({ track, frame }) => now.tracks[track].find((key) => key.frame === frame) as Key<unknown>);
  const drawing = useSignal(false);
  const [first] = keys;
  const ease = keys.length > 0 && keys.every((key) => key.ease === first.ease) ? first.ease : undefined;
  return (
    <div class="clip-bar">
      <ClipTabs />
      <button
        type="button"
        class="button small"
        disabled={!keyHere.value}
        title="Key what is shown at the playhead (K)"
        onClick={() => keyHere.value?.()}
      >
        ◆ Key
      </button>
      {chosen.length > 0 && (
        <>
          <select
            aria-label="Ease after the chosen keys"
            title={ease && EASE_TITLES[ease]}
            value={ease ?? ''}
            onChange={(event) => {
              const wanted = event.currentTarget.value as Ease;
              drawing.value = wanted === 'curve';
              editClip(studio, 'Change the ease', (one) =>
                easedKeys(one, chosen, wanted, wanted === 'curve' ? FIRST_CURVE : undefined),
              );
            }}
          >
            {ease === undefined && <option value="">several eases</option>}
            {EASES.map((name) => (
              <option key={name} value={name} selected={name === ease}>
                {name}
              </option>
            ))}
          </select>
          {ease === 'curve' && (
            <button
              type="button"
              class="button small"
              aria-expanded={drawing.value}
              onClick={() => {
                drawing.value = !drawing.value;
              }}
            >
              Curve
            </button>
          )}
          <button type="button" class="quiet" title="Copy the chosen keys (Ctrl C)" onClick={() => copyKeys(studio)}>
            Copy
          </button>
          <button
            type="button"
            class="quiet"
            title="Remove the chosen keys (Delete)"
            onClick={() => removeKeys(studio)}
          >
            Remove
          </button>
        </>
      )}
      {session.copiedKeys.value && (
        <button type="button" class="quiet" title="Paste at the playhead (Ctrl V)" onClick={() => pasteKeys(studio)}>
          Paste
        </button>
      )}
      <span class="gap" />
      <button
        type="button"
        class="quiet"
        aria-pressed={now.closes}
        title="The end of the clip goes on into its beginning"
        onClick={() => editClip(studio, 'Close the clip', (one) => ({ ...one, closes: !one.closes }))}
      >
        {now.closes ? '↻ loops' : '→ ends'}
      </button>
      <button
        type="button"
        class="quiet"
        aria-pressed={view.onion.value}
        title="See the poses of the keys before and after (O)"
        onClick={() => store.setView({ onion: !view.onion.value })}
      >
        {view.onion.value ? '◉ onion skin' : '○ onion skin'}
      </button>
      {ease === 'curve' && drawing.value && (
        <EaseCurve
          curve={first.curve ?? FIRST_CURVE}
          onChange={(curve, merge) =>
            editClip(studio, 'Draw the ease', (one) => easedKeys(one, chosen, 'curve', curve), merge)
          }
        />
      )}
    </div>
  );
}

export function copyKeys({ bench, clip }: Studio): boolean {
  const chosen = chosenIn(clip.value, bench.store.state.session.chosenKeys);
  if (chosen.length === 0) return false;
  bench.store.setSession({ copiedKeys: copiedKeys(clip.value, chosen) });
  return true;
}

export function pasteKeys(studio: Studio): boolean {
  const { session, view } = studio.bench.store.state;
  const { copiedKeys: copied, keying } = session;
  if (!copied || !keying) return false;
  editClip(studio, 'Paste keys', (clip) => pastedKeys(clip, copied, view.frame));
  const chosenKeys = copied.keys.map(({ track, key }) => ({ track, frame: view.frame + key.frame }));
  studio.bench.store.setSession({ chosenKeys });
  return true;
}

export function removeKeys(studio: Studio): boolean {
  const chosen = chosenIn(studio.clip.value, studio.bench.store.state.session.chosenKeys);
  if (chosen.length === 0) return false;
  editClip(studio, chosen.length === 1 ? 'Remove a key' : 'Remove keys', (clip) => removedKeys(clip, chosen));
  studio.bench.store.setSession({ chosenKeys: [] });
  return true;
}

/** The clips by their whole names, a menu where there are more than fit; a name is typed over the chosen one. */
function ClipTabs() {
  const studio = useStudio();
  const { bench, document, clip } = studio;
  const { store } = bench;
  const clips = document.clips.value;
  const now = clip.value;
  const naming = useSignal(false);
  const go = (id: string) => {
    store.amend({ clip: id });
    store.setSession({ chosenKeys: [] });
  };
  const rename = (wanted: string) => {
    naming.value = false;
    const name = wanted.trim();
    if (name === '' || name === now.name) return;
    const others = clips.filter((one) => one !== now);
    editClip(studio, 'Rename the clip', (one) => ({ ...one, name: freeName(others, name) }));
  };
  if (naming.value) {
    return (
      <input
        class="clip-name"
        type="text"
        aria-label="Name of the clip"
        defaultValue={now.name}
        ref={(field) => field?.select()}
        onBlur={(event) => rename(event.currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') currentTarget.blur();
          if (key === 'Escape') naming.value = false;
        }}
      />
    );
  }
  return (
    <>
      {clips.length <= MOST_TABS ? (
        <div class="clip-tabs" role="tablist" aria-label="Clips">
          {clips.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              role="tab"
              aria-selected={id === now.id}
              title={id === now.id ? 'Double click to rename it' : `Show ${name}`}
              onClick={() => go(id)}
              onDblClick={() => (naming.value = true)}
            >
              {name}
            </button>
          ))}
        </div>
      ) : (
        <select
          class="clip-name"
          aria-label="Clip being made"
          title="Clips of this character"
          value={now.id}
          onChange={(event) => go(event.currentTarget.value)}
        >
          {clips.map(({ id, name }) => (
            <option key={id} value={id} selected={id === now.id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <button type="button" class="quiet" onClick={() => (naming.value = true)}>
        Rename
      </button>
      <button
        type="button"
        class="quiet"
        title="A new clip of this character"
        onClick={() => store.edit('New clip', (all) => withNewClip(all))}
      >
        New
      </button>
      <button
        type="button"
        class="quiet"
        title="The same clip once more, to change it"
        onClick={() => store.edit('Duplicate the clip', (all) => withNewClip(all, now))}
      >
        Duplicate
      </button>
      {clips.length > 1 && (
        <button
          type="button"
          class="quiet"
          onClick={() =>
            store.edit('Delete the clip', (all) => {
              const left = all.clips.filter(({ id }) => id !== now.id);
              return { ...all, clips: left, clip: left[0].id };
            })
          }
        >
          Delete
        </button>
      )}
      <span class="bar-line" />
    </>
  );
}
