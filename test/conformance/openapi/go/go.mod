module winnow.dev/openapi

go 1.24.0

require (
	github.com/google/gnostic-models v0.6.9
	google.golang.org/protobuf v1.36.5
	k8s.io/kube-openapi v0.0.0-20250318190949-c8a335a9a2ff
)

require (
	github.com/go-openapi/jsonpointer v0.21.0 // indirect
	github.com/go-openapi/jsonreference v0.20.1 // indirect
	github.com/go-openapi/swag v0.23.0 // indirect
	github.com/josharian/intern v1.0.0 // indirect
	github.com/mailru/easyjson v0.7.7 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
	sigs.k8s.io/randfill v1.0.0 // indirect
	sigs.k8s.io/yaml v1.4.0 // indirect
)
