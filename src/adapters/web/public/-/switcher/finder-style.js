// The style sheet of the switcher's search, loaded with it.

export const STYLE = `
.finder { flex: 0 1 auto; min-height: 0; width: 420px; max-width: 100%; display: flex; flex-direction: column; padding: 8px; border: 1px solid var(--rule); border-radius: 8px; background: var(--paper); box-shadow: 0 2px 10px var(--shade); pointer-events: auto }
.finder > input { flex: none; min-height: 36px; padding: 4px 10px; border: 1px solid var(--soft); border-radius: 6px; background: none }
.finder > input::placeholder { color: var(--soft); opacity: 1 }
.found { display: flex; flex-direction: column; min-height: 0 }
#found-sentence { margin: 0; padding: 8px 6px 4px; color: var(--soft); font-size: 12.5px }
#found-list { overflow-y: auto; overscroll-behavior: contain; max-height: 480px }
#found-list[aria-busy] { opacity: .6 }
.hit { position: relative; padding: 6px }
.hit:hover { background: var(--hover); border-radius: 6px }
.hit-link { font-weight: 600; text-decoration: none }
.hit-link::after { content: ""; position: absolute; inset: 0; border-radius: 6px }
.hit-link:focus-visible { outline: none }
.hit-link:focus-visible::after { outline: 3px solid var(--ring); outline-offset: -2px }
.hit-heading { font-weight: 400 }
.hit-way { margin: 0; color: var(--soft); font-size: 12.5px }
.hit-path { display: block; overflow-wrap: anywhere; color: var(--soft); font-size: 12.5px; font-weight: 400 }
.hit-snippet { margin: 2px 0 0; color: var(--soft); font-size: 12.5px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden }
.hit-snippet.is-code { font-family: ui-monospace, monospace; white-space: pre-wrap }
.hit-nothing, .paging { margin: 0; padding: 6px }
mark { --found: #ffe08a; border-radius: 3px; background: var(--found); color: var(--ink) }
.dark mark { --found: #574406 }
`;
