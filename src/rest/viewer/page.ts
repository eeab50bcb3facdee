/** The page at `/docs`. Addresses are relative: a proxy may put all of it under a path. */

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ramal reference</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/viewer.js" type="module"></script>
</head>
<body>
<p><a href="docs">Operations</a> · <a href="docs?api=admin">Administration</a> · <a href="docs/guides">Guides, and all other pages</a></p>
<p id="handed" role="status"></p>
<div id="viewer"></div>
<noscript>This page needs JavaScript. The same stands in <a href="openapi.json">openapi.json</a> and <a href="admin/openapi.json">admin/openapi.json</a>.</noscript>
</body>
</html>
`;
