/** The style sheet of the page at `/`. Colour means state: live, good, wait, bad, past; the accent is for what can be done. */
export const homePageStyle = `:root{color-scheme:light dark;--bg:#fcfcfb;--sunken:#f4f4f2;--line:#e7e7e3;--edge:#8a8e95;--ink:#191a1c;--ink2:#4c4f55;
--accent:#2b47d1;--on:#fff;--live:#3d92c9;--good:#2f9d6c;--wait:#a7abb3;--bad:#d3423a;--past:#b4b7bd}
@media(prefers-color-scheme:dark){:root{--bg:#141518;--sunken:#1d1f23;--line:#292b30;--edge:#7a7e86;--ink:#ededee;--ink2:#b4b8bf;
--accent:#97a9ff;--on:#0f1330;--live:#4b9fd8;--good:#37a876;--wait:#63686f;--bad:#e25b54;--past:#52565d}}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:var(--ink);background:var(--bg)}
main{max-width:66rem;margin:0 auto;padding:24px 16px 48px}
.brand{display:flex;gap:8px;align-items:center;margin:0 0 24px;font-weight:600}
h1{font-size:1.5rem;line-height:1.25;margin:0}
.lead{margin:4px 0 24px;color:var(--ink2)}
h2{font-size:1rem;margin:0 0 8px;padding-bottom:8px;border-bottom:1px solid var(--line)}
section,form{margin:0 0 32px;min-width:0}
.columns{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 48px}
@media(max-width:760px){.columns{grid-template-columns:minmax(0,1fr)}}
a{color:var(--accent)}
ul{list-style:none;margin:0;padding:0}
li{margin:8px 0}
label,legend{font-weight:600;padding:0}
textarea{display:block;width:100%;margin:4px 0 16px;padding:8px;font:inherit;color:inherit;background:var(--bg);
border:1px solid var(--edge);border-radius:4px}
fieldset{border:0;margin:0 0 16px;padding:0;min-width:0}
.deed{display:flex;gap:8px;align-items:center;min-height:44px;font-weight:400;border-bottom:1px solid var(--line)}
.deed span{flex:1}
button{min-height:44px;padding:0 24px;font:inherit;font-weight:600;color:var(--on);background:var(--accent);border:0;border-radius:4px}
button:disabled{opacity:.6}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
code,pre{font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;font-variant-numeric:tabular-nums}
pre{margin:8px 0;padding:8px;background:var(--sunken);border-radius:4px;overflow-x:auto}
summary{min-height:32px;cursor:pointer;color:var(--accent)}
.rows li{margin:0;padding:8px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
.row{display:flex;flex-wrap:wrap;gap:0 12px;align-items:baseline}
.row .what{flex:1 1 9rem}
.dim{color:var(--ink2)}
.mark{flex:none;align-self:center;width:10px;height:10px;border-radius:50%;background:var(--past)}
.mark.live{background:none;border:2px solid var(--live)}
.mark.good{background:var(--good)}
.mark.wait{background:none;border:2px dashed var(--wait)}
.mark.bad{background:var(--bad);border-radius:0;transform:rotate(45deg) scale(.85)}
.mark.past{border-radius:0}
.story{margin:8px 0 0;padding:0 0 0 22px}
.story li{border:0;padding:2px 0}
`;
