package main

import (
	"encoding/hex"
	"encoding/json"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// show writes a value in a form that does not depend on the order of a map's keys.
func show(value ref.Val) string {
	switch v := value.(type) {
	case types.Null:
		return "null"
	case types.Bool:
		return strconv.FormatBool(bool(v))
	case types.Int:
		return strconv.FormatInt(int64(v), 10)
	case types.Uint:
		return strconv.FormatUint(uint64(v), 10) + "u"
	case types.Double:
		return "double(" + strconv.FormatFloat(float64(v), 'g', -1, 64) + ")"
	case types.String:
		return quoted(string(v))
	case types.Bytes:
		return "bytes(" + hex.EncodeToString(v) + ")"
	case types.Duration:
		return "duration(" + strconv.FormatInt(int64(v.Duration), 10) + ")"
	case types.Timestamp:
		return "timestamp(" + v.Time.Format(time.RFC3339Nano) + ")"
	case *types.Optional:
		if !v.HasValue() {
			return "none"
		}
		return "optional(" + show(v.GetValue()) + ")"
	case *types.Type:
		return "type(" + v.TypeName() + ")"
	case traits.Lister:
		parts := []string{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			parts = append(parts, show(it.Next()))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case traits.Mapper:
		parts := []string{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			if key == nil {
				continue
			}
			parts = append(parts, show(key)+": "+show(v.Get(key)))
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	default:
		// Values of Kubernetes' own types are seen through their functions.
		return value.Type().TypeName()
	}
}

func quoted(text string) string {
	// Code points above U+007F stay as they are in both programs.
	encoded, err := json.Marshal(text)
	must(err)
	return string(encoded)
}
