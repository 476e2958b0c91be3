// The style sheet of the switcher's shadow root.

export const STYLE = `
* { box-sizing: border-box }
.all {
  --paper: #fff; --ink: #14181f; --soft: #5a6371; --rule: #e3e6eb; --hover: #f6f7f9; --link: #1d4fb8;
  --good: #17663a; --good-surface: #e6f4ea; --caution: #7a4b00; --caution-surface: #fdf1d8; --edge: #d97706; --shade: rgb(0 0 0 / .16);
  color-scheme: light;
  position: fixed; inset: 0; z-index: 2147483000; transform-origin: 0 0; container-type: size; pointer-events: none;
  display: flex; flex-direction: column; align-items: flex-start; gap: 8px;
  padding: max(12px, env(safe-area-inset-top)) max(12px, env(safe-area-inset-right)) max(12px, env(safe-area-inset-bottom)) max(12px, env(safe-area-inset-left));
  color: var(--ink); font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere; text-align: start;
}
.all.dark {
  --paper: #181c23; --ink: #e8ebf0; --soft: #9ca6b5; --rule: #39414e; --hover: #282e38; --link: #8fb6ff;
  --good: #86d9a3; --good-surface: #17301f; --caution: #f0c674; --caution-surface: #33290f; --edge: #f0c674; --shade: rgb(0 0 0 / .5);
  color-scheme: dark;
}
.all[data-corner^=bottom] { flex-direction: column-reverse }
.all[data-corner$=right] { align-items: flex-end }
.banner, .menu, .toggle {
  pointer-events: auto; max-width: 100%; border: 1px solid var(--rule); border-radius: 8px; background: var(--paper);
  box-shadow: 0 2px 10px var(--shade);
}
[hidden] { display: none !important }
a { color: var(--link); text-underline-offset: 2px }
button, input { font: inherit; color: inherit }
button { cursor: pointer }
ul { margin: 0; padding: 0; list-style: none }
:focus-visible { outline: 2px solid var(--link); outline-offset: -2px }

.toggle { flex: none; display: flex; align-items: center; gap: 6px; max-width: min(260px, 100%); min-height: 34px; padding: 4px 12px; font-weight: 600; font-variant-numeric: tabular-nums; text-align: start }
.toggle:hover { background: var(--hover) }
.toggle::after { content: ""; flex: none; width: 7px; height: 7px; margin: -3px 2px 0; border: solid; border-width: 1.5px 0 0 1.5px; transform: rotate(225deg) }
.all[data-corner^=bottom] .toggle::after, .all[data-corner^=top] .toggle[aria-expanded=true]::after { margin-top: 4px; transform: rotate(45deg) }
.all[data-corner^=bottom] .toggle[aria-expanded=true]::after { margin-top: -3px; transform: rotate(225deg) }
@media (pointer: coarse) { .toggle { min-height: 40px } }

.bar { flex: none; display: flex; gap: 6px; max-width: 100% }

.menu { flex: 0 1 auto; min-height: 0; width: 300px; display: flex; flex-direction: column; padding: 6px 0; overflow-y: auto }
.title { flex: none; margin: 0; padding: 4px 14px 6px; color: var(--soft); font-size: 13px; font-weight: 600 }
.filter { flex: none; margin: 0 10px 8px; min-height: 34px; padding: 4px 8px; border: 1px solid var(--rule); border-radius: 6px; background: none }
.filter::placeholder { color: var(--soft); opacity: 1 }
.filter:focus-visible { outline-offset: -1px; outline-width: 2px }
.nothing { margin: 0; padding: 4px 14px 8px; color: var(--soft) }
.nothing:empty { display: none }
.versions { flex: 0 1 auto; min-height: 96px; max-height: 320px; overflow-y: auto; overscroll-behavior: contain; scroll-padding-block: 34px }
.versions:not(.many) { min-height: 0; flex-shrink: 0; scroll-padding-block: 0 }
.many .newest { position: sticky; inset-block: 0; background: var(--paper); box-shadow: 0 -1px var(--rule), 0 1px var(--rule) }
.menu a { display: flex; justify-content: space-between; align-items: baseline; gap: 12px; padding: 6px 14px; color: inherit; text-decoration: none }
.menu a:hover { background: var(--hover) }
.menu a[aria-current] { font-weight: 600; color: var(--link); box-shadow: inset 3px 0 var(--link) }
.label { min-width: 0 }
time { flex: none; color: var(--soft); font-size: 13px; font-weight: 400; font-variant-numeric: tabular-nums }
.mark { display: inline-block; padding: 0 6px; border-radius: 5px; background: var(--hover); color: var(--soft); font-size: 13px; font-weight: 400; line-height: 1.5; white-space: nowrap }
.good { background: var(--good-surface); color: var(--good) }
.caution { background: var(--caution-surface); color: var(--caution) }
.more { flex: none; margin-top: 6px; padding-top: 6px; border-top: 1px solid var(--rule) }
.more a { color: var(--link) }

.banner { flex: none; display: flex; gap: 4px; width: 320px; border-left: 4px solid var(--edge) }
.banner p { flex: 1; margin: 0; padding: 10px 0 10px 12px }
.banner a { display: inline-block; margin-top: 2px; font-weight: 600 }
.close { flex: none; align-self: start; width: 36px; height: 36px; border: 0; border-radius: 8px; background: none; color: var(--soft); font-size: 20px; line-height: 1 }
.close:hover { background: var(--hover); color: var(--ink) }
/* A small window has no room for menu and banner. */
@container (max-height: 500px) or (max-width: 480px) { .menu:not([hidden]) ~ .banner { display: none } }
@media print { .all { display: none } }
`;
