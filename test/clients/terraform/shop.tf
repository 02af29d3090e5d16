# The program that `terraform.ts` applies, changes and destroys.
terraform {
  required_providers {
    kubernetes = { source = "hashicorp/kubernetes" }
  }
}

variable "colour" { default = "blue" }
variable "replicas" { default = 2 }

resource "kubernetes_namespace" "shop" {
  metadata {
    name   = "shop"
    labels = { team = "web" }
  }
}

resource "kubernetes_config_map" "settings" {
  metadata {
    name      = "settings"
    namespace = kubernetes_namespace.shop.metadata[0].name
  }
  data = { colour = var.colour }
}

resource "kubernetes_secret" "password" {
  metadata {
    name      = "password"
    namespace = kubernetes_namespace.shop.metadata[0].name
  }
  data = { password = "word" }
}

resource "kubernetes_deployment" "web" {
  metadata {
    name      = "web"
    namespace = kubernetes_namespace.shop.metadata[0].name
  }
  wait_for_rollout = false
  spec {
    replicas = var.replicas
    selector {
      match_labels = { app = "web" }
    }
    template {
      metadata {
        labels = { app = "web" }
      }
      spec {
        container {
          name  = "web"
          image = "nginx:1"
          port {
            container_port = 8080
          }
        }
      }
    }
  }
}

resource "kubernetes_service" "web" {
  metadata {
    name      = "web"
    namespace = kubernetes_namespace.shop.metadata[0].name
  }
  spec {
    selector = { app = "web" }
    port {
      port        = 80
      target_port = 8080
    }
  }
}

resource "kubernetes_role" "reader" {
  metadata {
    name      = "reader"
    namespace = kubernetes_namespace.shop.metadata[0].name
  }
  rule {
    api_groups = [""]
    resources  = ["pods"]
    verbs      = ["get", "list"]
  }
}

resource "kubernetes_role_binding" "reader" {
  metadata {
    name      = "reader"
    namespace = kubernetes_namespace.shop.metadata[0].name
  }
  role_ref {
    api_group = "rbac.authorization.k8s.io"
    kind      = "Role"
    name      = kubernetes_role.reader.metadata[0].name
  }
  subject {
    api_group = "rbac.authorization.k8s.io"
    kind      = "User"
    name      = "jane"
  }
}

data "kubernetes_service" "web" {
  metadata {
    name      = kubernetes_service.web.metadata[0].name
    namespace = "shop"
  }
}

output "address" { value = data.kubernetes_service.web.spec[0].cluster_ip }
