{{- define "holdfast.labels" -}}
app.kubernetes.io/name: holdfast
{{- end }}

{{- define "holdfast.selector" -}}
app.kubernetes.io/name: holdfast
app.kubernetes.io/component: control-plane
{{- end }}

{{- define "holdfast.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Cluster-wide names must not be those of a release in another namespace. */}}
{{- define "holdfast.clusterName" -}}
{{- if eq .Release.Namespace "holdfast" }}holdfast{{ else }}holdfast-{{ .Release.Namespace }}{{ end }}
{{- end }}

{{- define "holdfast.restricted" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* What Holdfast does outside of its own namespace; deploy/base/rbac.yaml explains it. */}}
{{- define "holdfast.rules" -}}
- apiGroups: [projectcontour.io]
  resources: [httpproxies, tlscertificatedelegations, extensionservices]
  verbs: [list, watch]
- apiGroups: [networking.k8s.io]
  resources: [ingresses]
  verbs: [list, watch]
- apiGroups: [discovery.k8s.io]
  resources: [endpointslices]
  verbs: [list, watch]
- apiGroups: [holdfast.dev]
  resources: [extensionpolicies]
  verbs: [list, watch]
- apiGroups: [""]
  resources: [services, secrets]
  verbs: [list, watch]
- apiGroups: [projectcontour.io]
  resources: [httpproxies/status, tlscertificatedelegations/status, extensionservices/status]
  verbs: [patch]
- apiGroups: [networking.k8s.io]
  resources: [ingresses/status]
  verbs: [patch]
- apiGroups: [holdfast.dev]
  resources: [extensionpolicies/status]
  verbs: [patch]
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create]
{{- end }}
