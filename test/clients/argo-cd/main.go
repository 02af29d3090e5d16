// Argo CD's application controller and repository server, and a Redis for both, in one program. The first argument
// says which runs.
package main

import (
	"log"
	"os"

	"github.com/alicebob/miniredis/v2"
	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	controller "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	repositories "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	logs "github.com/argoproj/argo-cd/v3/util/log"
)

// redis serves at the address that is its argument, until the process ends.
func redis() *cobra.Command {
	return &cobra.Command{
		Use:  "redis ADDRESS",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := miniredis.NewMiniRedis().StartAddr(args[0]); err != nil {
				return err
			}
			select {}
		},
	}
}

func main() {
	klog.SetLogger(logs.NewLogrusLogger(logs.NewWithCurrentConfig()))
	root := &cobra.Command{Use: "argo-cd", SilenceUsage: true}
	root.AddCommand(controller.NewCommand(), repositories.NewCommand(), redis())
	if err := root.Execute(); err != nil {
		log.Print(err)
		os.Exit(1)
	}
}
